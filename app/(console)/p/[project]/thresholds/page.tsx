import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { createLoader, type SearchParams } from 'nuqs/server';
import { may } from '@/app/(console)/pages';
import { load, loadMe, loadProject } from '@/app/_trpc/server';
import { thresholdParsers } from './addresses';
import { ThresholdEditor, ThresholdIndex } from './threshold-views';

export const metadata: Metadata = { title: 'Thresholds' };

const readAddress = createLoader(thresholdParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

/**
 * Without a verifier, shows the list of all keys; with one, the page of a key, by default the
 * first.
 */
export default async function ThresholdsPage({ params, searchParams }: Props) {
  const [{ project }, { verifier, key }] = await Promise.all([params, readAddress(searchParams)]);
  const thresholds = await load((caller) =>
    caller.thresholds.list({ project, ...(verifier !== null && { verifier }) }),
  );
  if (verifier === null) {
    const names = [...new Set(thresholds.map((each) => each.verifier))];
    const changes = await Promise.all(
      names.map((name) => load((caller) => caller.thresholds.changes({ project, verifier: name }))),
    );
    return <ThresholdIndex project={project} thresholds={thresholds} changes={changes.flat()} />;
  }
  const chosen = key === null ? thresholds[0] : thresholds.find((each) => each.key === key);
  if (chosen === undefined) notFound();
  const [changes, me, shown] = await Promise.all([
    load((caller) => caller.thresholds.changes({ project, verifier })),
    loadMe(),
    loadProject(project),
  ]);
  return (
    <ThresholdEditor
      project={project}
      verifier={verifier}
      firstKey={chosen.key}
      thresholds={thresholds}
      changes={changes}
      who={me.user.email}
      mayWrite={may(shown, 'settings.write')}
    />
  );
}
