import { Age } from '@/app/_ui/moment';

/** silence must not be mistaken for health when no process checks the alerts. */
export function AlertsUnchecked({ checkedAt }: { checkedAt: Date | null }) {
  return (
    <p role="alert" className="bg-loud border-loud-line text-ink rounded-4 border px-3 py-2">
      {checkedAt === null ? (
        'The alerts have not been checked yet: without a worker, Assay verifies nothing and raises no alerts.'
      ) : (
        <>
          Alerts have not been checked for <Age at={checkedAt} />: no worker or edge process is
          running. The page shows the state at that time.
        </>
      )}
    </p>
  );
}
