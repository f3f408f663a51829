import type { Metadata } from 'next';
import { cache } from 'react';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { plainText } from '@/app/_ui/visible-text';
import { verdictTitle, verifierLabel } from './verdict-title';
import { CheckpointView, CodeView, SubjectView, VerdictView } from './verdict-views';

interface Props {
  params: Promise<{ project: string; id: string }>;
}

/** Read once for the page and its title. */
const loadShown = cache(async (project: string, id: string) => {
  const about = { project, id };
  const verdict = await load((caller) => caller.verdicts.get(about));
  const subject =
    verdict.subjectKind === 'turn' ? null : await load((caller) => caller.verifiers.subject(about));
  return { verdict, subject };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, id } = await params;
  const { verdict, subject } = await loadShown(project, decodeURIComponent(id));
  const title = plainText(verdictTitle(verdict, subject)).slice(0, 80).toWellFormed();
  return { title: `${title}, ${verifierLabel(verdict.verifier)} verdict` };
}

export default async function VerdictDetailPage({ params }: Props) {
  const { project, id } = await params;
  const { verdict, subject } = await loadShown(project, decodeURIComponent(id));
  const mayRule = may(await loadProject(project), 'labels.write');
  if (subject?.code != null) {
    return (
      <CodeView
        key={verdict.id}
        project={project}
        verdict={verdict}
        subject={subject}
        code={subject.code}
        mayRule={mayRule}
      />
    );
  }
  if (subject?.checkpoint != null) {
    const shown = { project, verdict, subject, checkpoint: subject.checkpoint, mayRule };
    return <CheckpointView key={verdict.id} {...shown} />;
  }
  if (subject !== null)
    return (
      <SubjectView
        key={verdict.id}
        project={project}
        verdict={verdict}
        subject={subject}
        mayRule={mayRule}
      />
    );
  return <VerdictView key={verdict.id} project={project} verdict={verdict} mayRule={mayRule} />;
}
