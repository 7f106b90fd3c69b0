package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.shop.Shop.Manager;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Read-only transactions, with a driver that refuses to write in them. */
@ParameterizedClass
@MethodSource("shops")
class ReadOnlyTest {

  @Parameter Shop shop;

  static Stream<Shop> shops() {
    return Stream.of(Manager.values())
        .flatMap(
            manager ->
                Stream.of(true, false)
                    .map(autoCommit -> Shop.open(manager, autoCommit, new FaultyDriver()::around)));
  }

  @BeforeEach
  void clear() {
    shop.clear();
  }

  @Test
  void anEmailInAReadOnlyTransactionIsRefused() {
    assertThatThrownBy(() -> readOnly().executeWithoutResult(status -> shop.send()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");

    assertThat(shop.emails()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_COMMIT", "AFTER_COMPLETION"})
  void anEmailAfterAReadOnlyTransactionIsStored(Phase phase) {
    readOnly().executeWithoutResult(status -> phase.run(shop::send));

    assertThat(shop.emails()).isEqualTo(1);
  }

  @Test
  void aNewTransactionInsideAReadOnlyOneStoresItsEmail() {
    TransactionTemplate inner = shop.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    readOnly().executeWithoutResult(outer -> inner.executeWithoutResult(status -> shop.send()));

    assertThat(shop.emails()).isEqualTo(1);
  }

  private TransactionTemplate readOnly() {
    TransactionTemplate template = shop.transaction();
    template.setReadOnly(true);
    return template;
  }
}
