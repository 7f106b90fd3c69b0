package dev.outbox.javalin;

import dev.outbox.Outbox;
import io.javalin.config.JavalinState;
import io.javalin.config.Key;
import io.javalin.plugin.Plugin;
import java.util.function.Consumer;

/**
 * The outbox in a Javalin application: an HTTP API, a page for people, and in development an inbox
 * of what was sent.
 *
 * <pre>{@code
 * Javalin.create(
 *     config ->
 *         config.registerPlugin(
 *             new OutboxPlugin(outbox, p -> p.access(ctx -> isStaff(ctx) ? Access.ADMIN : Access.DENIED))));
 * }</pre>
 *
 * <p>The outbox starts when the server has started, and is closed when it has stopped; its store
 * stays the host's to close. Handlers reach it by {@code ctx.appData(OutboxPlugin.OUTBOX)}. An
 * application may have several, each under a path of its own: {@link #key} tells them apart.
 */
public final class OutboxPlugin extends Plugin<OutboxPluginConfig> {

  /** Under which handlers find the outbox; that of the first plugin if there are several. */
  public static final Key<Outbox> OUTBOX = new Key<>("dev.outbox");

  private final Outbox outbox;
  private final EventStream eventStream = new EventStream();

  /**
   * Makes a plugin for an outbox that is not started yet.
   *
   * @param settings at least the access rule; without one nobody is let in
   */
  public OutboxPlugin(Outbox outbox, Consumer<OutboxPluginConfig> settings) {
    super(settings, new OutboxPluginConfig());
    this.outbox = outbox;
  }

  /** Returns the key under which handlers find the outbox of the plugin at a path. */
  public static Key<Outbox> key(String path) {
    return new Key<>("dev.outbox:" + path);
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  /** Makes the outbox known to handlers. */
  @Override
  public void onInitialize(JavalinState state) {
    try {
      state.appData(key(pluginConfig.path), outbox);
    } catch (IllegalStateException e) {
      throw new IllegalStateException("path: another plugin is at " + pluginConfig.path, e);
    }
    state.appDataManager.registerIfAbsent(OUTBOX, outbox);
  }

  /** Adds the routes, and ties the outbox to the server. */
  @Override
  public void onStart(JavalinState state) {
    RequestPipeline pipeline = new RequestPipeline(pluginConfig.allowedHosts, pluginConfig.access);
    for (Route route : Routes.of(outbox, pluginConfig, eventStream)) {
      add(state, pipeline, route);
      if (route.isSafe()) {
        add(state, pipeline, route.head());
      }
    }
    state.events.serverStarting(() -> eventStream.open(outbox));
    state.events.serverStarted(this::start);
    state.events.serverStartFailed(this::stop);
    state.events.serverStopping(eventStream::hangUp);
    state.events.serverStopped(this::stop);
    state.events.serverStopFailed(this::stop);
  }

  private void add(JavalinState state, RequestPipeline pipeline, Route route) {
    state.routes.addHttpHandler(
        route.method(), pluginConfig.path + route.path(), pipeline.before(route));
  }

  private void start() {
    if (pluginConfig.runsOutbox) {
      outbox.start();
    }
  }

  private void stop() {
    if (pluginConfig.runsOutbox) {
      outbox.close();
    }
    eventStream.close();
  }
}
