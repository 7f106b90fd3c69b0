package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmailIdTest {

  @Test
  void anIdIsAUuidOfVersionSevenThatHoldsTheTime() {
    long before = System.currentTimeMillis();
    EmailId id = EmailId.next();

    assertThat(id.value().version()).isEqualTo(7);
    assertThat(id.value().variant()).isEqualTo(2);
    assertThat(millis(id)).isBetween(before, System.currentTimeMillis() + 1_000);
  }

  @Test
  void idsOfOneProcessNeverGoBackwards() {
    List<EmailId> ids = Stream.generate(EmailId::next).limit(20_000).toList();

    assertThat(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void idsDoNotGoBackwardsWithTheClock() {
    PrimitiveIterator.OfLong clock = LongStream.of(500, 500, 499, 1, 500, 501, 400).iterator();
    EmailIdGenerator sequence = new EmailIdGenerator(clock::nextLong);

    List<EmailId> ids = Stream.generate(sequence::next).limit(7).toList();

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids.stream().map(EmailIdTest::millis))
        .containsExactly(500L, 500L, 500L, 500L, 500L, 501L, 501L);
  }

  @Test
  void tenThreadsGetDifferentIdsEachInOrder() throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(10);
    try {
      List<Future<List<EmailId>>> futures =
          IntStream.range(0, 10)
              .mapToObj(
                  thread ->
                      threads.submit(
                          () -> {
                            start.await();
                            return Stream.generate(EmailId::next).limit(5_000).toList();
                          }))
              .toList();
      start.countDown();

      List<EmailId> all = new ArrayList<>();
      for (Future<List<EmailId>> future : futures) {
        assertThat(future.get()).isSorted();
        all.addAll(future.get());
      }
      assertThat(all).hasSize(50_000).doesNotHaveDuplicates();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void theOrderIsThatOfTheTextAndOfTheTime() {
    Random random = new Random(7);
    List<EmailId> ids =
        Stream.generate(() -> new EmailId(new UUID(random.nextLong(), random.nextLong())))
            .limit(2_000)
            .toList();

    assertThat(ids.stream().sorted())
        .containsExactlyElementsOf(
            ids.stream().sorted(Comparator.comparing(EmailId::toString)).toList());

    List<EmailId> later =
        LongStream.of(1, 1_000, 1L << 40, (1L << 47) + 1)
            .mapToObj(millis -> new EmailIdGenerator(() -> millis).next())
            .toList();
    assertThat(later).isSorted();
  }

  @Test
  void anIdIsReadBackFromItsText() {
    EmailId id = EmailId.next();

    assertThat(EmailId.parse(id.toString())).isEqualTo(id).isEqualByComparingTo(id);
    assertThat(EmailId.parse("0198C0DE-0000-7000-8000-00000000ABCD"))
        .hasToString("0198c0de-0000-7000-8000-00000000abcd");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1-1-1-1-1",
        "quux.quux.quux.quux.quux@example.com",
        "0198c0de-0000-7000-8000-00000000abc",
        "0198c0de-0000-7000-8000-00000000abcde",
        "0198c0de000070008000000000000abcd...",
        "0198c0deX0000X7000X8000X00000000abcd",
        "0198c0de-0000-7000-8000-00000000abcg",
        "+198c0de-0000-7000-8000-00000000abcd",
        "0198c0de0-000-7000-8000-00000000abcd",
        "10198c0de-000-7000-8000-00000000abcd",
        "0198c0de-0000-7000-8000-00000000abc\n",
        " 198c0de-0000-7000-8000-00000000abcd",
        "\u0661198c0de-0000-7000-8000-0000000abcd",
      })
  void whatIsNotAUuidIsRefusedAndNotShown(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EmailId.parse(text))
        .withMessage("id: not a UUID of 36 characters")
        .withNoCause();
  }

  private static long millis(EmailId id) {
    return id.value().getMostSignificantBits() >>> 16;
  }
}
