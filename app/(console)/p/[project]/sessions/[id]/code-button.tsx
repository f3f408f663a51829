import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { SessionRow } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { useKeys } from '@/app/_ui/keyboard';
import { QelPanel } from '../../verdicts/[id]/code/qel-panel';

/**
 * QEL-46: opens the results on the session's latest code; a dot marks new results until they are
 * opened.
 */
export function CodeButton({ project, code }: { project: string; code: SessionRow['code'] }) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const id = code?.verdictId ?? '';
  const { data, isPending } = useQuery(
    trpc.verifiers.subject.queryOptions({ project, id }, { enabled: isOpen && id !== '' }),
  );
  useKeys({
    'mod+shift+e': (event) => {
      event.preventDefault();
      setOpen((before) => !before);
    },
  });
  const hasNews = code !== null && !isOpen;
  return (
    <>
      <Button
        onClick={() => setOpen(true)}
        aria-keyshortcuts="Control+Shift+E"
        aria-label={hasNews ? 'QEL, has a result' : 'QEL'}
        title="Code verification"
      >
        QEL
        {hasNews ? (
          <span aria-hidden="true" className="bg-series-1 inline-block size-2 rounded-full" />
        ) : null}
      </Button>
      {isOpen && (id === '' || !isPending) ? (
        <QelPanel code={data?.code ?? null} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}
