package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.module.ModuleFinder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.AbstractCollection;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateDataRefusalTest {

  private static final String SECRET = "ada@example.com";

  @SuppressWarnings("JavaUtilDate")
  private static final Date DATE = new Date(0);

  private record Boom(String name) {
    @Override
    @SuppressWarnings("UnusedMethod")
    public String name() {
      throw new IllegalStateException("no name for " + SECRET);
    }
  }

  @SuppressWarnings("NullAway") // a host may pass null all the same
  private static InvalidEmailException refusalOf(@Nullable Object data) {
    InvalidEmailException refusal =
        catchThrowableOfType(InvalidEmailException.class, () -> TemplateData.of(data));
    assertThat(refusal).isNotNull().hasNoCause();
    assertThat(refusal).hasMessage(refusal.field() + ": " + refusal.problem());
    assertThat(refusal.getMessage()).doesNotContain(SECRET);
    return refusal;
  }

  static Stream<Object> strangers() {
    return Stream.of(
        DATE,
        new Object(),
        new AtomicInteger(1),
        Clock.systemUTC(),
        Path.of("a"),
        SECRET.getClass());
  }

  @ParameterizedTest
  @MethodSource("strangers")
  void anythingElseIsRefusedByItsType(Object stranger) {
    InvalidEmailException refusal = refusalOf(Map.of("when", stranger));

    assertThat(refusal.field()).isEqualTo("data.when");
    assertThat(refusal.problem())
        .isEqualTo("cannot be of type " + stranger.getClass().getTypeName());
  }

  @Test
  void aRefusalNamesThePath() {
    Object items = Arrays.asList(Map.of("price", 1), null, Map.of("price", DATE));

    assertThat(refusalOf(Map.of("items", items)).field()).isEqualTo("data.items[2].price");
  }

  @Test
  void aRefusalAfterOthersWereReadNamesItsOwnPath() {
    Object[] list = {List.of(1), Map.of("k", Map.of()), new int[] {1}, DATE};

    assertThat(refusalOf(Map.of("a", Map.of("b", 1), "z", list)).field()).isEqualTo("data.z[3]");
  }

  @Test
  void aKeyThatMayBeContentIsNotShown() {
    assertThat(refusalOf(Map.of(SECRET, Map.of("price", DATE))).field()).isEqualTo("data.?.price");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void aNumberMustBeFinite(double number) {
    assertThat(refusalOf(Map.of("n", number)).problem()).isEqualTo("must be a finite number");
    assertThat(refusalOf(Map.of("n", (float) number)).problem())
        .isEqualTo("must be a finite number");
  }

  @Test
  void aKeyMustBeText() {
    Map<Object, Object> nullKey = new HashMap<>();
    nullKey.put(null, 1);

    assertThat(refusalOf(Map.of("m", Map.of(1, 2))))
        .hasMessage("data.m: has a key of type java.lang.Integer, keys must be String");
    assertThat(refusalOf(nullKey)).hasMessage("data: has a key of type null, keys must be String");
  }

  @Test
  void theRootMustBeAMapOrRecord() {
    assertThat(refusalOf("text"))
        .hasMessage("data: must be a map or a record, not java.lang.String");
    assertThat(refusalOf(List.of()).field()).isEqualTo("data");
    assertThat(refusalOf(null)).hasMessage("data: must be a map or a record, not null");
  }

  @Test
  void anAccessorThatThrowsIsRefusedWithoutItsText() {
    assertThat(refusalOf(Map.of("who", new Boom("x"))))
        .hasMessage(
            "data.who.name: cannot be read: its accessor threw java.lang.IllegalStateException");
  }

  @Test
  void aCollectionThatThrowsIsRefusedWithoutItsText() {
    Collection<Object> broken =
        new AbstractCollection<>() {
          @Override
          public Iterator<Object> iterator() {
            throw new IllegalStateException(SECRET);
          }

          @Override
          public int size() {
            return 1;
          }
        };

    assertThat(refusalOf(Map.of("all", broken)))
        .hasMessage("data.all: cannot be read: java.lang.IllegalStateException");
  }

  @Test
  void whatContainsItselfIsRefused() {
    Map<String, Object> map = new HashMap<>();
    map.put("self", map);

    assertThat(refusalOf(map).problem())
        .isEqualTo("is nested deeper than 32 levels, or contains itself");
  }

  @Test
  void thirtyTwoLevelsAreTheDeepest() {
    assertThat(TemplateData.fromJson(TemplateData.of(nested(32)).json()).asMap()).hasSize(1);
    assertThat(refusalOf(nested(33)).problem()).contains("32 levels");
  }

  private static Object nested(int levels) {
    return levels == 1 ? Map.of("leaf", 1) : Map.of("k", nested(levels - 1));
  }

  @Test
  void aCollectionWithoutEndIsRefused() {
    Collection<String> endless =
        new AbstractCollection<>() {
          @Override
          public Iterator<String> iterator() {
            return Stream.generate(() -> "x".repeat(1000)).iterator();
          }

          @Override
          public int size() {
            return Integer.MAX_VALUE;
          }
        };

    assertThat(refusalOf(Map.of("all", endless)))
        .hasMessage("data: is longer than 16777216 characters of JSON");
  }

  @Test
  void sharedBranchesThatGrowWithoutMeasureAreRefused() {
    Object branch = "leaf";
    for (int i = 0; i < 31; i++) {
      branch = List.of(branch, branch);
    }

    assertThat(refusalOf(Map.of("tree", branch)).problem()).startsWith("is longer than");
  }

  @Test
  void aNumberThatPrintsAsMoreThanAThousandDigitsIsRefused() {
    String problem = "has more than 1000 digits";

    assertThat(refusalOf(Map.of("n", new BigDecimal("1E+999999999"))).problem()).isEqualTo(problem);
    assertThat(refusalOf(Map.of("n", new BigDecimal("1E-1001"))).problem()).isEqualTo(problem);
    assertThat(refusalOf(Map.of("n", new BigDecimal("9".repeat(1001)))).problem())
        .isEqualTo(problem);
    assertThat(refusalOf(Map.of("n", BigInteger.TEN.pow(1000))).problem()).isEqualTo(problem);
    assertThat(refusalOf(Map.of("n", BigInteger.TEN.pow(1000).negate())).problem())
        .isEqualTo(problem);
  }

  /** To count the digits takes half a minute. */
  @Test
  @Timeout(10)
  void aNumberOfMillionsOfDigitsIsRefusedAtOnce() {
    BigInteger huge = BigInteger.ONE.shiftLeft(64_000_000);

    assertThat(refusalOf(Map.of("n", new BigDecimal(huge))).problem())
        .isEqualTo("has more than 1000 digits");
  }

  @Test
  void whateverIsAcceptedAtTheLimitsCanBeReadBack() {
    BigDecimal longest = new BigDecimal(new BigInteger("9".repeat(1000)).negate(), 1000);
    Map<String, Object> data =
        Map.of("k".repeat(1000), longest, "i", BigInteger.TEN.pow(1000).subtract(BigInteger.ONE));

    assertThat(TemplateData.fromJson(TemplateData.of(data).json()).asMap()).isEqualTo(data);
  }

  @Test
  void aKeyThatIsTooLongIsRefused() {
    assertThat(refusalOf(Map.of("k".repeat(1001), 1)))
        .hasMessage("data: has a key longer than 1000 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD83D", "a\uDE00", "\uDE00\uD83D", "\uD83Dx"})
  void halfASurrogatePairIsRefused(String text) {
    assertThat(refusalOf(Map.of("t", text)).problem()).isEqualTo("has half a surrogate pair");
    assertThat(refusalOf(Map.of(text, 1)).problem()).isEqualTo("has half a surrogate pair");
  }

  @Test
  void aRecordOfAModuleThatIsNotOpenIsRefused(@TempDir Path folder) throws Exception {
    Object hidden = instanceFromClosedModule(folder);

    assertThatThrownBy(() -> TemplateData.of(Map.of("r", hidden)))
        .hasMessage("data.r: cannot be of type closed.Hidden: its module is not open to Outbox");
  }

  private static Object instanceFromClosedModule(Path folder) throws Exception {
    Path module = folder.resolve("module-info.java");
    Files.writeString(
        module, "module closed { provides java.util.function.Supplier with closed.Factory; }");
    Path factory = folder.resolve("Factory.java");
    Files.writeString(
        factory,
        """
        package closed;
        record Hidden(String x) {}
        public class Factory implements java.util.function.Supplier<Object> {
          public Object get() { return new Hidden("x"); }
        }
        """);
    Path out = folder.resolve("out");
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", out.toString(), module.toString(), factory.toString());
    assertThat(errors).isZero();

    ModuleLayer boot = ModuleLayer.boot();
    ModuleLayer layer =
        boot.defineModulesWithOneLoader(
            boot.configuration().resolve(ModuleFinder.of(out), ModuleFinder.of(), Set.of("closed")),
            ClassLoader.getSystemClassLoader());
    return ServiceLoader.load(layer, Supplier.class).findFirst().orElseThrow().get();
  }
}
