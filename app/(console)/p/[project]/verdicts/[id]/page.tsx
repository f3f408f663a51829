import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { CheckpointView, CodeView, SubjectView, VerdictView } from './verdict-views';

export const metadata: Metadata = { title: 'Verdict' };

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export default async function VerdictDetailPage({ params }: Props) {
  const { project, id } = await params;
  const about = { project, id: decodeURIComponent(id) };
  const verdict = await load((caller) => caller.verdicts.get(about));
  const mayRule = may(await loadProject(project), 'labels.write');
  const subject =
    verdict.subjectKind === 'turn' ? null : await load((caller) => caller.verifiers.subject(about));
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
