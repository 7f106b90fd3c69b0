package dev.outbox.examples;

import dev.outbox.Outbox;
import dev.outbox.email.Address;
import dev.outbox.email.EmailQuery;
import dev.outbox.javalin.AccessRole;
import dev.outbox.javalin.DevelopmentInbox;
import dev.outbox.javalin.OutboxPlugin;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.template.Templates;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * A small shop that sends order mails, with the outbox's page beside it. Nothing leaves the
 * machine: the development inbox catches everything.
 */
public final class ShopDemo implements AutoCloseable {

  private static final Pattern HOST =
      Pattern.compile("(127\\.0\\.0\\.1|localhost)(:\\d+)?", Pattern.CASE_INSENSITIVE);

  private final MySqlStore store;
  private final Outbox outbox;
  private final Shop shop;
  private final Javalin app;

  private ShopDemo(MySqlStore store, Outbox outbox, Shop shop, Javalin app) {
    this.store = store;
    this.outbox = outbox;
    this.shop = shop;
    this.app = app;
  }

  /**
   * Runs the shop until it is interrupted, on port 7070 or the one given. The first start sends
   * some emails, so that there is something to see.
   */
  public static void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7070;
    ShopDemo shop = start(Path.of("target/shop/outbox"), port).withSampleEmails();
    Runtime.getRuntime().addShutdownHook(new Thread(shop::close));
    System.out.printf(
        "The shop is at %s, its emails are at %soutbox/%n", shop.address(), shop.address());
  }

  /**
   * Opens the shop.
   *
   * @param file where emails are kept
   * @param port 0 for any that is free
   */
  public static ShopDemo start(Path file, int port) {
    MySqlStore store = MySqlStore.embedded(file);
    DevelopmentInbox inbox = new DevelopmentInbox(500, new FullTheFirstTime()::refuses);
    Outbox outbox =
        Outbox.builder(store)
            .transport(inbox)
            .templates(Templates.classpath("mail"))
            .defaultFrom("Paper & Ink <shop@example.com>")
            .retention(RetentionSettings.DEFAULT.sentContent(Duration.ofDays(1)))
            .nodeName("shop")
            .build();
    Shop shop = new Shop(outbox);

    Javalin app =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              // every user of this machine may do everything here, and no other site's page
              config.registerPlugin(
                  new OutboxPlugin(
                      outbox,
                      p ->
                          p.inbox(inbox)
                              .allowedHosts("127.0.0.1", "localhost")
                              .access(ctx -> AccessRole.ADMIN)));
              config.routes.before("/", ShopDemo::rejectOtherHosts);
              config.routes.before("/orders", ShopDemo::rejectOtherHosts);
              config.routes.get("/", shop::show);
              config.routes.post("/orders", shop::order);
            });
    return new ShopDemo(store, outbox, shop, app.start("127.0.0.1", port));
  }

  /**
   * Answers a request only if it names this machine: a page of another site whose name leads here
   * (DNS rebinding) names that site. The method is not what a header says either.
   */
  private static void rejectOtherHosts(Context context) {
    if (!HOST.matcher(String.valueOf(context.host())).matches()) {
      context.status(421).result("This shop is at 127.0.0.1 only.").skipRemainingHandlers();
    } else if (context.header(Header.X_HTTP_METHOD_OVERRIDE) != null) {
      context.status(400).result("No method overrides here.").skipRemainingHandlers();
    }
  }

  /** Sends some emails with different outcomes, unless the store has emails already. */
  public ShopDemo withSampleEmails() {
    if (outbox.query(EmailQuery.all(), 1).emails().isEmpty()) {
      shop.placeSampleOrders();
    }
    return this;
  }

  /** Returns where the shop is. */
  public String address() {
    return "http://127.0.0.1:" + app.port() + "/";
  }

  /** Stops the server, which stops the outbox, and closes the store. */
  @Override
  public void close() {
    app.stop();
    store.close();
  }

  /**
   * Mailboxes that are full until somebody has cleaned up, so that there is something to requeue.
   */
  private static final class FullTheFirstTime {

    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    boolean refuses(Address address) {
      return address.domain().equals("full.example") && refused.add(address.canonical());
    }
  }
}
