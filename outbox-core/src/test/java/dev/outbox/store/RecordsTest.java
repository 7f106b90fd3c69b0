package dev.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.content.ContentDirectory;
import dev.outbox.content.PrivateFiles;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.TemplateData;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for all records of the email and store packages, those to come included. */
class RecordsTest {

  static List<Class<?>> records() {
    return Specimens.records();
  }

  @ParameterizedTest
  @MethodSource("records")
  void noRecordShowsAnAddressASubjectABodyOrAnyOtherWords(Class<?> type) {
    Object specimen = Specimens.make(type, new ArrayList<>());

    assertThat(specimen.toString().toLowerCase(Locale.ROOT)).doesNotContain(Specimens.MARKER);
  }

  @Test
  void theClassesThatAreNotRecordsAreKnownAndShowNothingEither() {
    assertThat(Specimens.publicTypes().stream().filter(type -> !type.isRecord()))
        .containsExactlyInAnyOrder(
            Bytes.class,
            TemplateData.class,
            EmailBuilder.class,
            IdempotencyConflictException.class,
            InvalidEmailException.class,
            StoreException.class,
            StoredValueLimits.class,
            PrivateFiles.class,
            ContentDirectory.class);
    assertThat(Bytes.utf8("marker").toString()).doesNotContain("marker");
    assertThat(TemplateData.of(Map.of("marker", "marker")).toString()).doesNotContain("marker");
    Object builder = Email.to("marker@example.com").subject("marker");
    assertThat(String.valueOf(builder)).doesNotContain("marker");
  }

  @ParameterizedTest
  @MethodSource("records")
  void aRecordCopiesItsCollectionsAndGivesThemOutUnmodifiable(Class<?> type) throws Exception {
    List<Object> sources = new ArrayList<>();
    Object specimen = Specimens.make(type, sources);

    for (Object source : sources) {
      clear(source);
    }

    for (RecordComponent component : type.getRecordComponents()) {
      Object value = component.getAccessor().invoke(specimen);
      if (value instanceof Collection<?> collection) {
        assertThat(collection).isNotEmpty();
      } else if (value instanceof Map<?, ?> map) {
        assertThat(map).isNotEmpty();
      } else {
        continue;
      }
      assertThatThrownBy(() -> clear(value)).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void thereAreRecordsToTry() {
    assertThat(Specimens.records()).hasSizeGreaterThan(30);
  }

  private static void clear(Object collection) {
    if (collection instanceof Map<?, ?> map) {
      map.clear();
    } else {
      ((Collection<?>) collection).clear();
    }
  }
}
