import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { VerifierView } from './verifier-view';

export const metadata: Metadata = { title: 'Verifier' };

/** Period of the override rate. */
const days = 30;

export default async function VerifierPage({
  params,
}: {
  params: Promise<{ project: string; slug: string }>;
}) {
  const { project, slug: sent } = await params;
  const slug = decodeURIComponent(sent);
  const verifier = await load((caller) => caller.verifiers.get({ project, slug }));
  const [thresholds, prompts, recent, measures] = await Promise.all([
    load((caller) => caller.thresholds.list({ project, verifier: slug })),
    load((caller) => caller.prompts.list({ project })),
    load((caller) => caller.verdicts.list({ project, verifier: slug, limit: 10 })),
    load((caller) => caller.calibration.list({ project, days })),
  ]);
  const measured = measures.verifiers.find(
    (each) => each.origin === 'verifier' && each.verifier === slug,
  );
  return (
    <VerifierView
      project={project}
      verifier={verifier}
      thresholds={thresholds}
      prompts={prompts.filter(({ verifier }) => verifier === slug)}
      recent={recent.items}
      overrides={
        measured === undefined
          ? null
          : { days, from: measures.from, rate: measured.rates.overrideRate }
      }
      mayWrite={may(await loadProject(project), 'settings.write')}
    />
  );
}
