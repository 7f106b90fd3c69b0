package dev.outbox.callback;

/** What tells a host what became of an email. Used by many threads at once. */
@FunctionalInterface
public interface Callback {

  /**
   * Tells it once, within a finite time; repeating is the outbox's business. The same notice may
   * come more than once.
   */
  CallbackResult call(CallbackNotice notice);
}
