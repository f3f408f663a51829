import { Age } from '@/app/_ui/moment';

/** silence must not be mistaken for health when no process checks the alerts. */
export function AlertsUnchecked({ lookedAt }: { lookedAt: Date | null }) {
  return (
    <p role="alert" className="bg-loud border-loud-line text-ink rounded-4 border px-3 py-2">
      {lookedAt === null ? (
        'Nobody has looked at the alerts yet: while no worker runs, nothing is verified and nothing alerts.'
      ) : (
        <>
          Nobody has looked at the alerts for <Age at={lookedAt} />: neither a worker nor an edge
          process does. What stands here is as old as that.
        </>
      )}
    </p>
  );
}
