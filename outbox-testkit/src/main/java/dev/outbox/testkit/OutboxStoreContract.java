package dev.outbox.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What every store has to do, as tests: the specification of {@link dev.outbox.store.OutboxStore}.
 *
 * <p>A store's test is this contract and a way to get a fresh store:
 *
 * <pre>{@code
 * class PaperStoreTest extends OutboxStoreContract {
 *   @Override
 *   protected StoreFixture open() {
 *     return new PaperStoreFixture();
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a fixture of its own and closes it. The tests may run in any order and in one
 * thread; those about races start threads themselves.
 */
public abstract class OutboxStoreContract {

  /** For store authors to extend. */
  protected OutboxStoreContract() {}

  /** Opens a fresh and empty store. */
  protected abstract StoreFixture open();

  @Nested
  class Inserting extends InsertContract {}

  @Nested
  class Limits extends LimitsContract {}

  @Nested
  class Idempotency extends IdempotencyContract {}

  @Nested
  class JoinedTransactions extends JoinedTransactionContract {}

  @Nested
  class Claiming extends ClaimContract {}

  @Nested
  class Lanes extends LaneContract {}

  @Nested
  class Proceeding extends BeginDeliveryContract {}

  @Nested
  class Nodes extends NodeContract {}

  @Nested
  class Reaping extends ReapContract {}

  @Nested
  class Completing extends CompletionContract {}

  @Nested
  class Reporting extends OutcomeDetailsContract {}

  @Nested
  class Callbacks extends CallbackContract {}

  @Nested
  class Fence extends FenceContract {}

  @Nested
  class LateDelivery extends LateDeliveryContract {}

  @Nested
  class LostAnswers extends LostResponseContract {}

  @Nested
  class Archiving extends ArchiveContract {}

  @Nested
  class Racing extends RaceContract {}

  @Nested
  class History extends HistoryContract {}

  @Nested
  class Querying extends QueryContract {}

  @Nested
  class Paging extends PageContract {}

  @Nested
  class Stats extends StatsContract {}

  @Nested
  class Pruning extends PruneContract {}

  @Nested
  class Cancelling extends CancelContract {}

  @Nested
  class Requeueing extends RequeueContract {}

  @Nested
  class Erasing extends EraseContract {}

  @Nested
  class Privacy extends PrivacyContract {}

  @Nested
  class Model extends StoreModelContract {}
}
