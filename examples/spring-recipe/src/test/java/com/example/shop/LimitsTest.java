package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.shop.Shop.Manager;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Data sources that differ, transaction managers that are not tracked, commits that fail. */
class LimitsTest {

  private static final UnaryOperator<DataSource> SAME = UnaryOperator.identity();

  private final Logger logger = Logger.getLogger(SpringEnqueuer.class.getName());
  private final Warnings warnings = new Warnings();

  @BeforeEach
  void listen() {
    logger.addHandler(warnings);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(warnings);
  }

  static Stream<Arguments> sharedDataSources() {
    UnaryOperator<DataSource> aware = TransactionAwareDataSourceProxy::new;
    UnaryOperator<DataSource> lazy = LazyConnectionDataSourceProxy::new;
    return Stream.of(
        Arguments.of("aware proxy for the outbox", SAME, aware),
        Arguments.of("aware proxy for both", aware, SAME),
        Arguments.of("lazy proxy for both", lazy, SAME),
        Arguments.of("lazy proxy for both, and an aware one around it", lazy, aware));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sharedDataSources")
  void proxiesOfSpringAreRecognised(
      String name, UnaryOperator<DataSource> forManager, UnaryOperator<DataSource> forOutbox) {
    try (Shop shop = Shop.wrapped(forManager, forOutbox)) {
      sendAndRollBack(shop);
      assertThat(shop.emails()).as("after a rollback").isZero();

      shop.transaction()
          .executeWithoutResult(
              status -> {
                shop.send();
                Phase.AFTER_COMMIT.run(shop::send);
                Phase.AFTER_COMPLETION.run(shop::send);
              });
      assertThat(shop.emails()).as("after a commit").isEqualTo(3);
      assertThat(warnings.texts).isEmpty();
    }
  }

  static Stream<Arguments> differentDataSources() {
    return Stream.of(
        Arguments.of("lazy proxy", (UnaryOperator<DataSource>) LazyConnectionDataSourceProxy::new),
        Arguments.of("any wrapper", (UnaryOperator<DataSource>) DelegatingDataSource::new));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("differentDataSources")
  void aTransactionOnAnotherDataSourceIsNotJoinedAndALogLineSaysSo(
      String name, UnaryOperator<DataSource> forOutbox) {
    try (Shop shop = Shop.wrapped(SAME, forOutbox)) {
      sendAndRollBack(shop);
      sendAndRollBack(shop);

      assertThat(shop.emails()).isEqualTo(2);
      assertThat(warnings.texts)
          .hasSize(1)
          .first()
          .asString()
          .contains("stored outside the active transaction", "another DataSource object");
    }
  }

  @Test
  void aTransactionManagerThatIsNotTrackedIsNotJoinedAndALogLineSaysSo() {
    try (Shop shop = Shop.open(Manager.JDBC, false)) {
      JdbcTransactionManager own = new JdbcTransactionManager(shop.pool());
      TransactionTemplate transaction = new TransactionTemplate(own);
      transaction.executeWithoutResult(
          status -> {
            shop.send();
            status.setRollbackOnly();
          });
      assertThat(shop.emails()).isEqualTo(1);
      assertThat(warnings.texts).hasSize(1);

      shop.tracker().attach(own);
      transaction.executeWithoutResult(
          status -> {
            shop.send();
            status.setRollbackOnly();
          });
      assertThat(shop.emails()).as("after it was attached").isEqualTo(1);
    }
  }

  @Test
  void noTransactionIsNoReasonToWarn() {
    try (Shop shop = Shop.open(Manager.JDBC, false)) {
      shop.send();
      shop.transaction(TransactionDefinition.PROPAGATION_SUPPORTS)
          .executeWithoutResult(status -> shop.send());

      assertThat(shop.emails()).isEqualTo(2);
      assertThat(warnings.texts).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DATA_SOURCE", "JDBC"})
  void emailsAfterACommitThatFailedAreStoredOnAnotherConnection(Manager manager) {
    FaultyDriver driver = new FaultyDriver();
    try (Shop shop = Shop.open(manager, false, driver::around)) {
      assertStoredAfterAFailedCommit(shop, driver);
    }
  }

  @Test
  void afterACommitThatFailedTheStoreDoesNotUseTheConnectionOfAnAwareProxy() {
    FaultyDriver driver = new FaultyDriver();
    try (Shop shop = Shop.wrapped(driver::around, SAME, TransactionAwareDataSourceProxy::new)) {
      assertStoredAfterAFailedCommit(shop, driver);
    }
  }

  private static void assertStoredAfterAFailedCommit(Shop shop, FaultyDriver driver) {
    shop.manager().addListener(new SendAtEnd(shop));
    TransactionTemplate transaction = shop.transaction();
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      shop.order(42);
                      Phase.AFTER_COMPLETION.run(shop::send);
                      driver.failNextCommit();
                    }))
        .isInstanceOf(RuntimeException.class);

    assertThat(shop.orders()).isZero();
    assertThat(shop.emails()).isEqualTo(2);
  }

  @Test
  void aSavepointDecidesAboutItsOwnEmailsAndTheTransactionAboutAll() {
    try (Shop shop = Shop.open(Manager.JDBC, false)) {
      TransactionTemplate nested = shop.transaction(TransactionDefinition.PROPAGATION_NESTED);
      Consumer<TransactionStatus> work =
          status -> {
            shop.send();
            nested.executeWithoutResult(inner -> shop.send());
            shop.send();
            nested.executeWithoutResult(
                inner -> {
                  shop.send();
                  inner.setRollbackOnly();
                });
            shop.send();
          };
      shop.transaction().executeWithoutResult(work.andThen(TransactionStatus::setRollbackOnly));
      assertThat(shop.emails()).as("after a rollback").isZero();

      shop.transaction().executeWithoutResult(work);
      assertThat(shop.emails()).as("after a commit").isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_COMMIT", "AFTER_COMPLETION"})
  void aSavepointInTheEndedTransactionDoesNotLoseItsEmail(Phase phase) {
    try (Shop shop = Shop.open(Manager.JDBC, false)) {
      TransactionTemplate nested = shop.transaction(TransactionDefinition.PROPAGATION_NESTED);
      shop.transaction()
          .executeWithoutResult(
              outer -> phase.run(() -> nested.executeWithoutResult(status -> shop.send())));

      assertThat(shop.emails()).isEqualTo(1);
    }
  }

  private static void sendAndRollBack(Shop shop) {
    shop.transaction()
        .executeWithoutResult(
            status -> {
              shop.send();
              status.setRollbackOnly();
            });
  }

  private static final class Warnings extends Handler {

    private final List<String> texts = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      if (line.getLevel() == Level.WARNING) {
        texts.add(line.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
