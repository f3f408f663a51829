import type { Metadata } from 'next';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { SubjectTarget } from '@/server/domain';
import { type Draft, draftOf, emptyDraft } from './draft';
import { Playground } from './playground';
import { draftMessages } from './prompt-text';

export const metadata: Metadata = { title: 'Playground' };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function PlaygroundPage({ params, searchParams }: Props) {
  const [{ project: slug }, query] = await Promise.all([params, searchParams]);
  const project = await loadProject(slug);
  if (!may(project, 'prompts.write')) {
    return (
      <PageBody narrow>
        <NoPermission title="Playground" role={project.role} />
      </PageBody>
    );
  }
  const [{ models }, verifiers, source] = await Promise.all([
    load((caller) => caller.verifiers.judging({ project: slug })),
    load((caller) => caller.verifiers.list({ project: slug })),
    loadSource(slug, query),
  ]);
  const model = models.find((each) => source?.model && each.endsWith(`:${source.model}`));
  return (
    <PageBody>
      <PageHead
        title="Playground"
        sub="Asks up to four models the same question. Answers are not stored until you verify or save them."
      />
      <Playground
        key={source?.id ?? ''}
        project={slug}
        models={models}
        verifiers={verifiers.filter(
          ({ archived, targets }) => !archived && targets.includes(SubjectTarget.enum.turn),
        )}
        source={source === null ? null : { name: source.name, href: source.href }}
        initial={{ draft: source?.draft ?? emptyDraft, model: model ?? models[0] ?? '' }}
        maySaveItems={may(project, 'labels.write')}
      />
    </PageBody>
  );
}

interface Source {
  readonly id: string;
  readonly name: string;
  readonly href: string;
  readonly draft: Draft;
  /** Of the turn; null if it has none, or the source is not a turn. */
  readonly model: string | null;
}

/** The turn, the item or the prompt version in the URL; null if there is none. */
async function loadSource(
  project: string,
  { turn, dataset, item, prompt, version }: Awaited<Props['searchParams']>,
): Promise<Source | null> {
  const base = `/p/${project}`;
  if (typeof turn === 'string') {
    const source = await load((caller) => caller.playground.turn({ project, id: turn }));
    const href = `${base}/turns/${encodeURIComponent(turn)}`;
    return { id: turn, name: 'the turn', href, draft: draftOf(source), model: source.model };
  }
  if (typeof dataset === 'string' && typeof item === 'string') {
    const found = await load((caller) =>
      caller.datasets.item({ project, slug: dataset, id: item }),
    );
    const href = `${base}/datasets/${dataset}/items/${encodeURIComponent(item)}`;
    const draft = draftOf(found.item.content);
    return { id: item, name: 'the item', href, draft, model: null };
  }
  if (typeof prompt !== 'string' || typeof version !== 'string') return null;
  const body = await load((caller) =>
    caller.prompts.body({ project, slug: prompt, version: Number(version) }),
  );
  const name = `${prompt}, version ${version}`;
  const draft = { ...emptyDraft, messages: draftMessages(body) };
  return {
    id: `${prompt} ${version}`,
    name,
    href: `${base}/prompts/${prompt}`,
    draft,
    model: null,
  };
}
