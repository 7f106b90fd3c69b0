package dev.outbox.javalin;

import dev.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;

/** All routes of a plugin. */
final class Routes {

  private Routes() {}

  static List<Route> of(Outbox outbox, OutboxPluginConfig settings, EventStream eventStream) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(new DashboardRoutes(settings.inbox != null).routes());
    routes.addAll(new SendRoutes(outbox, new RequestBody(settings.bodyLimit)).routes());
    routes.addAll(new ListRoutes(outbox).routes());
    routes.addAll(new EmailRoutes(outbox).routes());
    routes.addAll(new ContentRoutes(outbox).routes());
    routes.addAll(new ActionRoutes(outbox, new RequestBody(settings.bodyLimit)).routes());
    routes.addAll(new MonitoringRoutes(outbox, settings, eventStream).routes());
    if (settings.inbox != null) {
      routes.addAll(new InboxRoutes(settings.inbox).routes());
    }
    return routes;
  }
}
