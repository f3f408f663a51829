import type { Alert } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { alertFacts } from '@/server/alerts/input';

interface AlertTitleProps {
  alert: Pick<Alert, 'kind' | 'name'>;
  /** States the problem: `Catch rate below its limit: Task`. */
  isOpen?: boolean;
}

/** `Catch rate: Task`; the title alone for a kind with a single series. */
export function AlertTitle({ alert: { kind, name }, isOpen = false }: AlertTitleProps) {
  const { title: noun, single, perVerifier, limit, alerts } = alertFacts[kind];
  const isLimited = isOpen && perVerifier && limit !== 'none';
  const title = isLimited ? `${noun} ${alerts} its limit` : noun;
  if (single === true) return title;
  return (
    <>
      {title}: <VisibleText text={name} />
    </>
  );
}
