'use client';

import type { Drift } from '@/app/_trpc/outputs';
import type { About } from '../addresses';
import { AnchorPanel } from './anchor-panel';
import { DriftPanel } from './drift-panel';
import { ProbePanel } from './probe-panel';

/** Whether the judge stays the same: drift on frozen items, anchor sets and probes. */
export function StabilityTab({
  about: { project, verifier },
  drift,
}: {
  about: About;
  drift: Drift | null;
}) {
  return (
    <>
      {drift === null ? null : <DriftPanel drift={drift} />}
      <AnchorPanel project={project} verifier={verifier} />
      <ProbePanel project={project} verifier={verifier} />
    </>
  );
}
