import type { Alert } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { alertFacts } from '@/server/alerts/input';

/** `Catch rate: Task`; the title alone for a kind with a single series. */
export function AlertTitle({ alert: { kind, name } }: { alert: Pick<Alert, 'kind' | 'name'> }) {
  const { title, single } = alertFacts[kind];
  if (single === true) return title;
  return (
    <>
      {title}: <VisibleText text={name} />
    </>
  );
}
