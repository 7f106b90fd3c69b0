package dev.outbox.examples;

import dev.outbox.Enqueuer;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** The shop's two routes: its page, and an order, which is two emails. */
final class Shop {

  private static final Map<String, Product> PRODUCTS =
      Map.of(
          "notebook", new Product("Notebook, dotted", new BigDecimal("12.50")),
          "pen", new Product("Fountain pen, fine", new BigDecimal("34.00")),
          "ink", new Product("Ink, blue-black", new BigDecimal("8.90")));

  private final Enqueuer mail;
  private final String page = page();
  private final AtomicInteger orders = new AtomicInteger(1000);

  Shop(Enqueuer mail) {
    this.mail = mail;
  }

  void show(Context context) {
    String order = context.queryParam("order");
    String email = context.queryParam("email");
    boolean done = order != null && email != null && order.matches("\\d+") && isId(email);
    String words =
        "<p class=\"done\">Order %s is placed. <a href=\"outbox/#/emails/%s\">Follow its email.</a></p>";
    context.html(page.replace("<!-- done -->", done ? words.formatted(order, email) : ""));
  }

  /** Places orders whose emails are sent, refused, invalid and scheduled. */
  void placeSampleOrders() {
    place("notebook", 2, "Ada Lovelace", "ada@example.com");
    place("pen", 1, "Grace Hopper", "grace@example.org");
    place("ink", 3, "Katherine Johnson", "katherine@full.example"); // refused
    // the data is missing, which makes the email invalid
    mail.send(Email.to("alan@example.net").template("order-placed").tag("orders").build());
  }

  private void place(String item, int quantity, String customer, String address) {
    Product product = Objects.requireNonNull(PRODUCTS.get(item));
    confirm(new Order(orders.incrementAndGet(), product, quantity), address, customer);
  }

  void order(Context context) {
    Product product = PRODUCTS.get(String.valueOf(context.formParam("item")));
    String quantity = String.valueOf(context.formParam("quantity"));
    if (product == null || !quantity.matches("[1-9]")) {
      context.status(400).result("item or quantity: not in this shop");
      return;
    }
    try {
      Order order = new Order(orders.incrementAndGet(), product, Integer.parseInt(quantity));
      String address = String.valueOf(context.formParam("email"));
      EmailId email = confirm(order, address, String.valueOf(context.formParam("customer")));
      context.redirect("/?order=%d&email=%s".formatted(order.id(), email));
    } catch (InvalidEmailException e) {
      context.status(400).result(e.field() + ": " + e.problem());
    }
  }

  private EmailId confirm(Order order, String address, String customer) {
    EmailId now =
        mail.send(
                Email.to(address)
                    .template("order-placed", order.confirmation(customer))
                    .tag("orders")
                    .requestId("order-" + order.id())
                    .build())
            .id();
    mail.send(
        Email.to(address)
            .template("order-review", new Review(customer, order.product().name()))
            .tag("reviews")
            .requestId("order-" + order.id())
            .sendAt(Instant.now().plus(Duration.ofMinutes(30)))
            .build());
    return now;
  }

  private static boolean isId(String text) {
    try {
      EmailId.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String page() {
    try (InputStream in =
        Objects.requireNonNull(Shop.class.getResourceAsStream("/shop/index.html"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What can be bought. */
  record Product(String name, BigDecimal price) {}

  /** What was bought. */
  record Order(int id, Product product, int quantity) {

    Confirmation confirmation(String customer) {
      BigDecimal total = product.price().multiply(BigDecimal.valueOf(quantity));
      return new Confirmation(
          id, customer, List.of(new Line(quantity, product.name(), total)), total);
    }
  }

  /** What the template order-placed prints. */
  record Confirmation(int id, String customer, List<Line> items, BigDecimal total) {}

  /** One line of it. */
  record Line(int quantity, String name, BigDecimal price) {}

  /** What the template order-review prints. */
  record Review(String customer, String item) {}
}
