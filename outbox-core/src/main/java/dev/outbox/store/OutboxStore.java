package dev.outbox.store;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The truth about all emails: where they are, who holds them, and what happened to them.
 *
 * <p>Stores are safe for use by many threads, processes and machines at once. Time is the store's
 * own: callers give durations, and no clock of a node is ever compared with another. Every method
 * that changes something is one transaction for each email at least, retries passing trouble by
 * itself, and may be repeated by the caller after a {@link StoreException}.
 *
 * <p>{@code OutboxStoreContract} in the test kit is the specification in full; a store is right if
 * it passes.
 */
public interface OutboxStore extends StoreWriter, AutoCloseable {

  /**
   * Gives waiting emails to a node: those that are due, the longest due first in each lane. Each
   * gets its busy state, the node as its owner, a new token and no due time.
   *
   * <p>No email is ever given to two claims at once. Fewer than wanted is not a sign that there are
   * no more.
   */
  List<Claim> claim(ClaimRequest request);

  /**
   * Takes freshly rendered emails from {@link State#INTAKING} to {@link State#PROCESSING} under the
   * same claim, committed before it returns.
   *
   * @return the claims that still stood, as they are from now on; the other emails are no longer
   *     the caller's to send
   */
  List<Claim> beginDelivery(List<Claim> claims);

  /**
   * Records what became of claimed emails, each on its own: a claim that was lost does not stop the
   * others.
   *
   * <p>A completion is applied if its claim still stands, that is, if the email has the claim's
   * token, owner and state. A {@link Completion#isDelivery() delivery} is also applied from
   * wherever the reaper put the email, as long as the token stands: that delivery did happen. A
   * completion that was applied before answers so again and changes nothing. What a callback's
   * completion reports goes to the history alone, since reason and response are those of the
   * email's outcome. Reaching {@link State#SENT} clears code and reason, and drops the content
   * unless it is kept; what {@link Completion#movesToLog()} moves to the log in the same
   * transaction; what is not {@link Completion#isNormalStep()} leaves a row of history.
   *
   * @return one result for each completion, in the same order
   */
  List<CompletionResult> complete(List<Completion> completions);

  /**
   * Lists what a node holds, for a node that asks after its own: a claim it does not know is one
   * whose answer was lost.
   *
   * @param limit how many at most
   */
  List<ClaimRef> claimsOf(NodeId node, int limit);

  /**
   * Moves a node's counter, or starts it at one.
   *
   * @return the counters of all nodes, the caller included; every node that holds a claim is there,
   *     beaten or not, though one that claims after it has retired may be there some beats later
   */
  List<NodeHeartbeat> heartbeat(NodeId node);

  /**
   * Takes emails from a node that was watched standing still. Nothing happens if its counter has
   * moved since.
   *
   * @param dead the node
   * @param beat its counter as it was seen
   * @param policy what becomes of each email; tokens stay as they are
   * @param limit how many at most
   * @return what was taken; empty when there is nothing left to take, or the node lives
   */
  List<ReapedEmail> reap(NodeId dead, long beat, ReapPolicy policy, int limit);

  /** Forgets a node that has released everything. While it holds a claim it stays listed. */
  void deregister(NodeId node);

  /**
   * Does something by hand. Cancelling and requeueing change the token, so that a worker that holds
   * the email finds its claim lost. Each leaves a row of history.
   *
   * @return one result for each email, in the same order
   */
  List<ActionResult> apply(OperatorAction move, List<EmailId> ids);

  /** Finds an email, in the log too. */
  Optional<StoredEmail> find(EmailId id);

  /** Returns what happened to an email out of the ordinary, in order; also after archiving. */
  List<HistoryRecord> history(EmailId id);

  /**
   * Finds emails, in the log too, the newest id first.
   *
   * @param after the last id of the page before; null for the first page
   * @param limit how many at most
   */
  EmailPage query(EmailQuery query, @Nullable EmailId after, int limit);

  /** Counts the emails in each state that are not in the log; states without any are missing. */
  Map<State, StateCount> stats();

  /**
   * Removes what is older than its retention, with its history and its idempotency key, and the
   * content of sent emails that is older than allowed. What is owned or due is never removed.
   *
   * <p>With a limit of zero nothing is removed and the database is not asked. A store that has a
   * retention of its own compares it then, which is how an outbox asks before it starts.
   *
   * @param limit how many emails at most
   * @return how many were removed or emptied; fewer than the limit if that is all for now
   * @throws StoreException with the reason {@link StoreException.Reason#MISCONFIGURED} if the limit
   *     is zero and the store's own retention differs
   */
  int prune(RetentionSettings retention, int limit);

  /** Frees what the store has opened itself. */
  @Override
  void close();
}
