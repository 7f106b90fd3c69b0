package com.example.shop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Enqueuer;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.mysql.MySqlSchema;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.transport.Transport;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application with a pool of four connections, one transaction manager, and an outbox that
 * stores emails and sends none. It counts what is stored on a connection of its own.
 */
final class Shop implements AutoCloseable {

  /** The transaction managers of the tests. */
  enum Manager {
    DATA_SOURCE,
    JDBC,
    JPA
  }

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String url =
      "jdbc:h2:mem:shop%d;MODE=MySQL;WRITE_DELAY=0;DB_CLOSE_DELAY=-1"
          .formatted(NUMBER.incrementAndGet());
  private final String name;
  private final Manager kind;
  private final boolean autoCommit;
  private final HikariDataSource pool;
  private final DataSource managed;
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  private Shop(
      Manager kind,
      boolean autoCommit,
      UnaryOperator<DataSource> driver,
      UnaryOperator<DataSource> forManager,
      UnaryOperator<DataSource> forOutbox) {
    this.name = "%s, auto-commit=%s".formatted(kind, autoCommit);
    this.kind = kind;
    this.autoCommit = autoCommit;
    this.pool = pool(autoCommit, driver);
    execute("CREATE TABLE orders (id INT PRIMARY KEY)");
    this.managed = forManager.apply(pool);
    DataSource used = forOutbox.apply(managed);
    context.registerBean("dataSource", DataSource.class, () -> used);
    context.registerBean(RecordingTransport.class);
    if (kind == Manager.JPA) {
      context.registerBean(
          LocalContainerEntityManagerFactoryBean.class, this::createEntityManagerFactory);
    }
    context.registerBean(
        "transactionManager", PlatformTransactionManager.class, this::createManager);
    context.register(Wiring.class, OrderListener.class);
    context.refresh();
  }

  static Shop open(Manager kind, boolean autoCommit) {
    return open(kind, autoCommit, UnaryOperator.identity());
  }

  /** Opens a shop whose pool has the connections of a changed driver. */
  static Shop open(Manager kind, boolean autoCommit, UnaryOperator<DataSource> driver) {
    return new Shop(kind, autoCommit, driver, UnaryOperator.identity(), UnaryOperator.identity());
  }

  /**
   * Opens a shop with data sources around its pool.
   *
   * @param forManager given the pool, returns what the transaction manager has
   * @param forOutbox given what the transaction manager has, returns what the outbox has
   */
  static Shop wrapped(UnaryOperator<DataSource> forManager, UnaryOperator<DataSource> forOutbox) {
    return wrapped(UnaryOperator.identity(), forManager, forOutbox);
  }

  /** Opens a shop with data sources around its pool, and a changed driver. */
  static Shop wrapped(
      UnaryOperator<DataSource> driver,
      UnaryOperator<DataSource> forManager,
      UnaryOperator<DataSource> forOutbox) {
    return new Shop(Manager.JDBC, false, driver, forManager, forOutbox);
  }

  /** What an application declares: the recipe's tracker and enqueuer, and an idle outbox. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Wiring extends OutboxConfiguration {

    @Override
    @Bean
    Outbox outbox(MySqlStore store, Transport unused) {
      return Outbox.builder(store).defaultFrom("shop@example.com").build();
    }
  }

  private HikariDataSource pool(boolean autoCommit, UnaryOperator<DataSource> driver) {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL(url);
    MySqlSchema.standard().apply(h2);
    HikariConfig config = new HikariConfig();
    config.setDataSource(driver.apply(h2));
    config.setAutoCommit(autoCommit);
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  private LocalContainerEntityManagerFactoryBean createEntityManagerFactory() {
    LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
    factory.setDataSource(managed);
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.setPackagesToScan(OrderRow.class.getPackageName());
    return factory;
  }

  private AbstractPlatformTransactionManager createManager() {
    return switch (kind) {
      case DATA_SOURCE -> new DataSourceTransactionManager(managed);
      case JDBC -> new JdbcTransactionManager(managed);
      case JPA -> new JpaTransactionManager(context.getBean(EntityManagerFactory.class));
    };
  }

  boolean autoCommit() {
    return autoCommit;
  }

  Enqueuer mail() {
    return context.getBean(Enqueuer.class);
  }

  TransactionTracker tracker() {
    return context.getBean(TransactionTracker.class);
  }

  DataSource pool() {
    return pool;
  }

  /** Publishes an event of the application. */
  void publish(Object event) {
    context.publishEvent(event);
  }

  AbstractPlatformTransactionManager manager() {
    return context.getBean(AbstractPlatformTransactionManager.class);
  }

  TransactionTemplate transaction() {
    return transaction(TransactionDefinition.PROPAGATION_REQUIRED);
  }

  TransactionTemplate transaction(int propagation) {
    TransactionTemplate template = new TransactionTemplate(manager());
    template.setPropagationBehavior(propagation);
    return template;
  }

  /** Stores an order in the active transaction, by JPA if that is what the shop uses. */
  void order(int id) {
    if (kind == Manager.JPA) {
      EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
      EntityManagerFactoryUtils.getTransactionalEntityManager(factory).persist(new OrderRow(id));
    } else {
      orderByJdbc(id);
    }
  }

  /** Stores an order on the connection that the thread has. */
  void orderByJdbc(int id) {
    new JdbcTemplate(managed).update("INSERT INTO orders (id) VALUES (?)", id);
  }

  void send() {
    mail().send(email());
  }

  static Email email() {
    return Email.to("ada@example.com").subject("Order 42").text("Thank you.").build();
  }

  int emails() {
    return count("outbox_emails");
  }

  int orders() {
    return count("orders");
  }

  /** Removes all orders and emails. */
  void clear() {
    execute("DELETE FROM outbox_emails");
    execute("DELETE FROM outbox_keys");
    execute("DELETE FROM orders");
  }

  /** Runs a statement on a connection of its own. */
  void execute(String sql) {
    try (Connection own = DriverManager.getConnection(url);
        Statement statement = own.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int count(String table) {
    try (Connection own = DriverManager.getConnection(url);
        Statement statement = own.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    context.close();
    pool.close();
    execute("SHUTDOWN");
  }

  @Override
  public String toString() {
    return name;
  }
}
