package com.example.shop;

import dev.outbox.Enqueuer;
import dev.outbox.Outbox;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.transport.Transport;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.transaction.ConfigurableTransactionManager;

/** The beans of the outbox. Spring closes the outbox before the store; the pool stays open. */
@Configuration(proxyBeanMethods = false)
public class OutboxConfiguration {

  /** Creates the tracker; static, because it processes other beans while they are created. */
  @Bean
  static TransactionTracker transactionTracker(
      ObjectProvider<ConfigurableTransactionManager> managers) {
    return new TransactionTracker(managers);
  }

  @Bean
  MySqlStore outboxStore(DataSource dataSource) {
    return MySqlStore.builder(SpringEnqueuer.poolOf(dataSource)).build();
  }

  @Bean
  Outbox outbox(MySqlStore store, Transport transport) {
    return Outbox.builder(store)
        .transport(transport)
        .defaultFrom("Shop <shop@example.com>")
        .build()
        .start();
  }

  /** Creates the bean that services depend on; primary, because an outbox is an enqueuer too. */
  @Bean
  @Primary
  Enqueuer enqueuer(
      Outbox outbox, MySqlStore store, DataSource dataSource, TransactionTracker tracker) {
    return new SpringEnqueuer(outbox, store, dataSource, tracker);
  }
}
