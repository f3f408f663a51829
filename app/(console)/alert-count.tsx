'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '../_trpc/client';
import { announce } from '../_ui/announcer';

/**
 * How many alert now, on every page; who cannot see it change hears it. Nothing while it is not
 * known, and nothing where none does.
 */
export function AlertCount({ project }: { project: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alerts.alerting.queryOptions({ project }, { retry: false }));
  const heard = useRef<{ readonly project: string; readonly count: number } | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    // Not at first, and not when another project is opened: nothing has changed then.
    if (heard.current?.project === project && heard.current.count !== data)
      announce(alertingText(data));
    heard.current = { project, count: data };
  }, [project, data]);
  if (data === undefined || data === 0) return null;
  return (
    <span className="bg-loud border-loud-line text-12 text-ink rounded-4 ml-auto border px-1 font-normal max-md:ml-2">
      {data > 999 ? '999+' : data}
      <span className="sr-only"> alerting</span>
    </span>
  );
}

function alertingText(count: number): string {
  if (count === 0) return 'Nothing alerts any more';
  return count === 1 ? '1 alert' : `${count} alerts`;
}
