package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Enqueuer;
import dev.outbox.mysql.MySqlSchema;
import dev.outbox.testkit.RecordingTransport;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The beans of the recipe, in an application context that closes the pool. */
class OutboxConfigurationTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HikariDataSource pool = new HikariDataSource();

  @BeforeEach
  void open() {
    pool.setJdbcUrl("jdbc:h2:mem:beans;MODE=MySQL;WRITE_DELAY=0");
    pool.setAutoCommit(false);
    MySqlSchema.standard().apply(pool);
  }

  @Test
  void anEmailLeavesAfterTheCommitAndNotBefore() {
    try (AnnotationConfigApplicationContext context = context(Application.class)) {
      RecordingTransport relay = context.getBean(RecordingTransport.class);
      Enqueuer mail = context.getBean(Enqueuer.class);
      transaction(context)
          .executeWithoutResult(
              status -> {
                mail.send(Shop.email());
                Phase.AFTER_COMMIT.run(() -> mail.send(Shop.email()));
                assertThat(relay.sent()).isEmpty();
              });

      Awaitility.await().atMost(PATIENCE).until(() -> relay.sent().size() == 2);
    }
  }

  @Test
  void servicesGetTheEnqueuerThatJoins() {
    try (AnnotationConfigApplicationContext context = context(Application.class)) {
      assertThat(context.getBean(Enqueuer.class)).isInstanceOf(SpringEnqueuer.class);
    }
  }

  @Test
  void aTransactionManagerIsTrackedFromItsFirstTransactionOn() {
    try (AnnotationConfigApplicationContext context =
        context(Application.class, SendingAtStart.class)) {
      RecordingTransport relay = context.getBean(RecordingTransport.class);

      Awaitility.await().atMost(PATIENCE).until(() -> relay.sent().size() == 1);
      assertThat(manager(context).getTransactionExecutionListeners())
          .containsExactly(context.getBean(TransactionTracker.class));
    }
  }

  @Test
  void aTransactionManagerThatAnotherPostProcessorNeedsIsTrackedToo() {
    try (AnnotationConfigApplicationContext context = context(Application.class, Early.class)) {
      assertThat(manager(context).getTransactionExecutionListeners())
          .containsExactly(context.getBean(TransactionTracker.class));
    }
  }

  private AnnotationConfigApplicationContext context(Class<?>... classes) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean("dataSource", DataSource.class, () -> pool);
    context.registerBean(RecordingTransport.class);
    context.register(OutboxConfiguration.class);
    context.register(classes);
    context.refresh();
    return context;
  }

  private static AbstractPlatformTransactionManager manager(
      AnnotationConfigApplicationContext context) {
    return context.getBean(AbstractPlatformTransactionManager.class);
  }

  private static TransactionTemplate transaction(AnnotationConfigApplicationContext context) {
    return new TransactionTemplate(manager(context));
  }

  @Configuration(proxyBeanMethods = false)
  static class Application {

    @Bean
    JdbcTransactionManager transactionManager(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  /** Stores one email while the application starts, and one that is rolled back. */
  @Configuration(proxyBeanMethods = false)
  static class SendingAtStart {

    @Bean
    String sent(PlatformTransactionManager manager, Enqueuer mail) {
      TransactionTemplate transaction = new TransactionTemplate(manager);
      transaction.executeWithoutResult(
          status -> {
            mail.send(Shop.email());
            status.setRollbackOnly();
          });
      transaction.executeWithoutResult(status -> mail.send(Shop.email()));
      return "sent";
    }
  }

  /** A post-processor that needs the transaction manager before the tracker is there. */
  @Configuration(proxyBeanMethods = false)
  static class Early {

    @Bean
    static NeedsManager early(PlatformTransactionManager manager) {
      return new NeedsManager(manager);
    }
  }

  private record NeedsManager(PlatformTransactionManager manager)
      implements BeanPostProcessor, PriorityOrdered {

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }
  }
}
