import type { Alert } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { alertFacts } from '@/server/alerts/input';

/** `Catch rate: Task`; the title alone where there is one of its kind only. */
export function AlertTitle({ alert: { kind, name } }: { alert: Pick<Alert, 'kind' | 'name'> }) {
  const { title, single } = alertFacts[kind];
  if (single === true) return title;
  return (
    <>
      {title}: <VisibleText text={name} />
    </>
  );
}
