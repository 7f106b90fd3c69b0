package dev.outbox.email;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateDataTest {

  private record Item(String name, BigDecimal price) {}

  private record Order(long id, List<Item> items, Optional<String> coupon) {}

  enum Colour {
    RED {
      @Override
      public String toString() {
        return "a nice red";
      }
    }
  }

  private static @Nullable Object roundTrip(Object value) {
    return TemplateData.fromJson(TemplateData.of(Map.of("v", value)).json()).asMap().get("v");
  }

  @Test
  void aRecordThatIsNotPublicIsReadWithItsNestedRecords() {
    Order order = new Order(42, List.of(new Item("Tea", new BigDecimal("3.10"))), Optional.empty());

    assertThat(TemplateData.of(order).json())
        .isEqualTo("{\"id\":42,\"items\":[{\"name\":\"Tea\",\"price\":3.10}],\"coupon\":null}");
  }

  @Test
  void laterChangesOfTheHostsObjectsHaveNoEffect() {
    List<String> names = new ArrayList<>(List.of("Ada"));
    StringBuilder text = new StringBuilder("before");
    Map<String, Object> map = new HashMap<>(Map.of("names", names, "text", text));
    TemplateData data = TemplateData.of(map);

    names.add("Eve");
    text.append(" and after");
    map.put("more", 1);

    assertThat(data.asMap()).isEqualTo(Map.of("names", List.of("Ada"), "text", "before"));
  }

  @Test
  void equalMapsGiveEqualJsonWhateverTheirOrder() {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("b", 1);
    one.put("a", Map.of("y", 1, "x", 2));
    Map<String, Object> other = new LinkedHashMap<>();
    other.put("a", Map.of("x", 2, "y", 1));
    other.put("b", 1);

    assertThat(TemplateData.of(one).json()).isEqualTo("{\"a\":{\"x\":2,\"y\":1},\"b\":1}");
    assertThat(TemplateData.of(one)).isEqualTo(TemplateData.of(other));
    assertThat(TemplateData.of(one)).hasSameHashCodeAs(TemplateData.of(other));
    assertThat(TemplateData.of(one)).isNotEqualTo(TemplateData.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.00", "0.000", "-3.10", "1E+3", "1E-10", "0E-7", "12345678901234567890.123450"})
  void aBigDecimalKeepsItsScale(String number) {
    BigDecimal price = new BigDecimal(number);

    assertThat(roundTrip(price)).isEqualTo(price);
  }

  @Test
  void wholeNumbersComeBackAsLongOrBigInteger() {
    BigInteger huge = new BigInteger("123456789012345678901234567890");

    assertThat(roundTrip((byte) 7)).isEqualTo(7L);
    assertThat(roundTrip((short) 7)).isEqualTo(7L);
    assertThat(roundTrip(7)).isEqualTo(7L);
    assertThat(roundTrip(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(roundTrip(huge)).isEqualTo(huge);
  }

  @Test
  void floatsKeepTheDigitsThatJavaShows() {
    assertThat(roundTrip(0.1f)).isEqualTo(new BigDecimal("0.1"));
    assertThat(roundTrip(19.99)).isEqualTo(new BigDecimal("19.99"));
    assertThat(roundTrip(-0.0)).isEqualTo(new BigDecimal("0.0"));
  }

  @Test
  void everyOtherLeafBecomesText() {
    UUID uuid = UUID.fromString("018f4e9e-0000-7000-8000-000000000000");
    Instant instant = Instant.parse("2026-03-01T10:15:30Z");

    assertThat(roundTrip('c')).isEqualTo("c");
    assertThat(roundTrip("😀 \u0000 \u2028")).isEqualTo("😀 \u0000 \u2028");
    assertThat(roundTrip(Colour.RED)).isEqualTo("RED");
    assertThat(roundTrip(DayOfWeek.MONDAY)).isEqualTo("MONDAY");
    assertThat(roundTrip(uuid)).isEqualTo(uuid.toString());
    assertThat(roundTrip(URI.create("https://example.com/a"))).isEqualTo("https://example.com/a");
    assertThat(roundTrip(instant)).isEqualTo("2026-03-01T10:15:30Z");
    assertThat(roundTrip(LocalDate.of(2026, 3, 1))).isEqualTo("2026-03-01");
    assertThat(roundTrip(YearMonth.of(2026, 3))).isEqualTo("2026-03");
    assertThat(roundTrip(Duration.ofMinutes(5))).isEqualTo("PT5M");
    assertThat(roundTrip(ZoneId.of("Europe/Rome"))).isEqualTo("Europe/Rome");
  }

  @Test
  void arraysAndOptionalsAreSeenThrough() {
    assertThat(roundTrip(new int[] {1, 2})).isEqualTo(List.of(1L, 2L));
    assertThat(roundTrip(new String[] {"a", null})).isEqualTo(Arrays.asList("a", null));
    assertThat(roundTrip(Optional.of(List.of(true)))).isEqualTo(List.of(true));
    assertThat(roundTrip(OptionalInt.of(3))).isEqualTo(3L);
    assertThat(roundTrip(OptionalInt.empty())).isNull();
  }

  @Test
  void theTreeCannotBeChangedAtAnyDepth() {
    Map<String, @Nullable Object> map =
        TemplateData.of(Map.of("list", List.of(Map.of("k", 1)))).asMap();
    List<?> list = (List<?>) requireNonNull(map.get("list"));
    Map<?, ?> inner = (Map<?, ?>) list.get(0);

    assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(list::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(inner::clear).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theSizeIsThatOfTheJsonInUtf8AndIsAllThatIsShown() {
    TemplateData data = TemplateData.of(Map.of("k", "è😀"));

    assertThat(data.bytes()).isEqualTo("{\"k\":\"\"}".length() + 2 + 4);
    assertThat(data).hasToString("TemplateData[14 bytes]");
  }

  @Test
  void noDataIsAnEmptyMap() {
    assertThat(TemplateData.empty()).isEqualTo(TemplateData.of(Map.of()));
    assertThat(TemplateData.empty().asMap()).isEmpty();
  }

  @Test
  void dataOfDataIsItself() {
    TemplateData data = TemplateData.of(Map.of("k", 1));

    assertThat(TemplateData.of(data)).isSameAs(data);
  }
}
