package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.shop.Shop.Manager;
import dev.outbox.email.Email;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Every transaction manager, with auto-commit on and off: what is stored is read back. */
@ParameterizedClass
@MethodSource("shops")
class TransactionPhasesTest {

  @Parameter Shop shop;

  static Stream<Shop> shops() {
    return Stream.of(Manager.values())
        .flatMap(
            manager -> Stream.of(true, false).map(autoCommit -> Shop.open(manager, autoCommit)));
  }

  @BeforeEach
  void clear() {
    shop.clear();
  }

  @Test
  void orderAndEmailAreCommittedTogether() {
    commit(
        () -> {
          shop.send();
          assertThat(shop.emails()).as("before the commit").isZero();
        });

    assertStored(1, 1);
  }

  @Test
  void aRollbackLeavesNeither() {
    rollBack(shop::send);

    assertStored(0, 0);
  }

  @Test
  void outsideATransactionTheEmailIsStoredByItself() {
    shop.send();

    assertStored(0, 1);
  }

  @ParameterizedTest
  @EnumSource
  void anEmailOfEachPhaseOfACommitIsStored(Phase phase) {
    commit(() -> phase.run(shop::send));

    assertStored(1, 1);
  }

  @ParameterizedTest
  @EnumSource
  void anEmailOfTheFirstSynchronizationIsStored(Phase phase) {
    commit(() -> phase.runFirst(shop::send));

    assertStored(1, 1);
  }

  @Test
  void anEmailAfterARollbackIsStored() {
    rollBack(() -> Phase.AFTER_COMPLETION.run(shop::send));

    assertStored(0, 1);
  }

  @Test
  void anEmailBeforeTheCompletionOfARollbackIsGone() {
    rollBack(() -> Phase.BEFORE_COMPLETION.run(shop::send));

    assertStored(0, 0);
  }

  @Test
  void emailsInTheTransactionAndAfterItAreStored() {
    commit(
        () -> {
          shop.send();
          Phase.AFTER_COMMIT.run(shop::send);
          Phase.AFTER_COMMIT.run(shop::send);
          Phase.AFTER_COMPLETION.run(shop::send);
        });

    assertStored(1, 4);
  }

  @Test
  void eventListenersOfACommitStoreTheirEmails() {
    commit(
        () -> {
          shop.publish(new OrderListener.BeforeCommit());
          shop.publish(new OrderListener.AfterCommit());
          shop.publish(new OrderListener.AfterCompletion());
          shop.publish(new OrderListener.InNewTransaction());
          shop.publish(new OrderListener.AfterRollback());
        });

    assertStored(1, 4);
  }

  @Test
  void eventListenersOfARollbackStoreTheirEmails() {
    rollBack(
        () -> {
          shop.publish(new OrderListener.BeforeCommit());
          shop.publish(new OrderListener.AfterCommit());
          shop.publish(new OrderListener.AfterCompletion());
          shop.publish(new OrderListener.AfterRollback());
        });

    assertStored(0, 2);
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_COMMIT", "AFTER_COMPLETION"})
  void aNewTransactionAfterTheCommitDecidesAboutItsOwnEmails(Phase phase) {
    TransactionTemplate inner = shop.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    commit(
        () ->
            phase.run(
                () -> {
                  inner.executeWithoutResult(status -> shop.send());
                  inner.executeWithoutResult(
                      status -> {
                        shop.send();
                        status.setRollbackOnly();
                      });
                  shop.send();
                }));

    assertStored(1, 2);
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_COMMIT", "AFTER_COMPLETION"})
  void joiningTheEndedTransactionStoresTheEmail(Phase phase) {
    commit(() -> phase.run(() -> shop.transaction().executeWithoutResult(status -> shop.send())));

    assertStored(1, 1);
  }

  @Test
  void anEmailOutsideASuspendedTransactionStaysAfterItsRollback() {
    TransactionTemplate none = shop.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    rollBack(() -> none.executeWithoutResult(status -> shop.send()));

    assertStored(0, 1);
  }

  @Test
  void aTransactionWithoutSynchronizationIsJoined() {
    AbstractPlatformTransactionManager manager = shop.manager();
    manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
    try {
      shop.transaction().executeWithoutResult(status -> shop.send());
      shop.transaction()
          .executeWithoutResult(
              status -> {
                shop.send();
                status.setRollbackOnly();
              });
    } finally {
      manager.setTransactionSynchronization(
          AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS);
    }

    assertStored(0, 1);
  }

  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void emailsOfAnotherExecutionListenerAreStored(Synchronization synchronization) {
    AbstractPlatformTransactionManager manager = shop.manager();
    List<TransactionExecutionListener> before =
        new ArrayList<>(manager.getTransactionExecutionListeners());
    manager.setTransactionExecutionListeners(List.of(new SendAtEnd(shop)));
    shop.tracker().attach(manager);
    manager.setTransactionSynchronization(synchronization.constant());
    try {
      shop.transaction().executeWithoutResult(status -> {});
      assertStored(0, 1);
      shop.transaction().executeWithoutResult(TransactionStatus::setRollbackOnly);
      assertStored(0, 2);
    } finally {
      manager.setTransactionExecutionListeners(before);
      manager.setTransactionSynchronization(
          AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS);
    }
  }

  @Test
  void afterTheCommitAConflictOfOneEmailDoesNotLoseTheOthers() {
    shop.mail().send(keyed("first"));
    List<Throwable> caught = Collections.synchronizedList(new ArrayList<>());
    commit(
        () ->
            Phase.AFTER_COMMIT.run(
                () -> {
                  try {
                    shop.mail().sendAll(List.of(keyed("other"), Shop.email()));
                  } catch (IdempotencyConflictException e) {
                    caught.add(e);
                  }
                }));

    assertThat(caught).hasSize(1);
    assertStored(1, 2);
  }

  @Test
  void anEmailThatCouldNotBeStoredAfterTheCommitCanBeSentAgain() {
    shop.execute("ALTER TABLE outbox_emails RENAME TO hidden");
    try {
      assertThatThrownBy(
              () -> commit(() -> Phase.AFTER_COMMIT.run(() -> shop.mail().send(keyed("first")))))
          .isInstanceOf(StoreException.class);
    } finally {
      shop.execute("ALTER TABLE hidden RENAME TO outbox_emails");
    }
    shop.transaction()
        .executeWithoutResult(
            status -> Phase.AFTER_COMMIT.run(() -> shop.mail().send(keyed("first"))));

    assertStored(1, 1);
  }

  @Test
  void theConnectionKeepsItsModeForWhatFollowsTheEmail() {
    commit(
        () ->
            Phase.AFTER_COMMIT.run(
                () -> {
                  shop.send();
                  shop.orderByJdbc(43);
                }));

    assertStored(shop.autoCommit() ? 2 : 1, 1);
  }

  private static Email keyed(String subject) {
    return Email.to("ada@example.com").subject(subject).text("Hello.").idempotencyKey("k").build();
  }

  private void commit(Runnable inTransaction) {
    shop.transaction()
        .executeWithoutResult(
            status -> {
              shop.order(42);
              inTransaction.run();
            });
  }

  private void rollBack(Runnable inTransaction) {
    shop.transaction()
        .executeWithoutResult(
            status -> {
              shop.order(42);
              inTransaction.run();
              status.setRollbackOnly();
            });
  }

  private void assertStored(int orders, int emails) {
    assertThat(List.of(shop.orders(), shop.emails()))
        .as("stored orders and emails")
        .containsExactly(orders, emails);
  }

  /** Whether a transaction calls synchronizations. */
  enum Synchronization {
    ALWAYS(AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS),
    NEVER(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

    private final int constant;

    Synchronization(int constant) {
      this.constant = constant;
    }

    int constant() {
      return constant;
    }
  }
}
