'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { useTRPC } from '@/app/_trpc/client';
import type { VerifierDefinition } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { type Starter, verifierStarters } from '@/server/catalog/input';
import { AboutPanel } from './about-panel';
import { ArchiveButton } from './archive-button';
import { DefinitionEditor } from './definition-editor';
import {
  type BegunDraft,
  type Fault,
  freeSlug,
  placeFaults,
  readDraft,
  slugOf,
  textOf,
} from './draft';
import { ResultsPanel } from './results-panel';
import { StarterChoice } from './starter-choice';

interface VerifierBuilderProps {
  project: string;
  /** Null for a new verifier. */
  stored: VerifierDefinition | null;
  /** A draft to begin with: a tested one after a reload, or a clone. */
  initialDraft: BegunDraft | null;
  /** Slugs that a new verifier cannot have. */
  takenSlugs: readonly string[];
  mayWrite: boolean;
}

/** The editor of a project verifier: its definition, inputs and requirements. */
export function VerifierBuilder({
  project,
  stored,
  initialDraft,
  takenSlugs,
  mayWrite,
}: VerifierBuilderProps) {
  const router = useRouter();
  const [leaving, leave] = useTransition();
  const textOfStarter = ({ slug, definition }: Starter) =>
    textOf(freeSlug(slug, takenSlugs), definition);
  const [starter, setStarter] = useState<Starter | null>(
    stored === null && initialDraft === null ? (verifierStarters[0] ?? null) : null,
  );
  const [first, setFirst] = useState(() => {
    if (stored !== null) return textOf(stored.slug, stored.definition);
    return starter === null ? '' : textOfStarter(starter);
  });
  const [text, setText] = useState(() =>
    initialDraft === null ? first : textOf(initialDraft.slug, initialDraft.definition),
  );
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const define = useMutation(
    useTRPC().verifiers.define.mutationOptions({
      onSuccess: ({ slug, version, created }) => {
        announce(created ? `Saved as ${slug}@${version}` : 'Nothing has changed');
        leave(() => {
          router.push(`/p/${project}/verifiers/${encodeURIComponent(slug)}`);
          router.refresh();
        });
      },
      onError: (error) => {
        const { fields, message } = problemOf(error);
        const placed = placeFaults(text, fields);
        setFaults(placed.length > 0 ? placed : [{ line: null, message }]);
      },
    }),
  );
  const change = (next: string) => {
    setText(next);
    setFaults([]);
  };
  const draft = readDraft(text);
  const save = () => {
    const { definition, faults: unread } = draft;
    const [slug, kind] = [slugOf(draft), definition?.kind];
    const problems = unread.length > 0 ? unread : memberFaults(slug, kind, stored, takenSlugs);
    setFaults(problems);
    if (slug === null || typeof kind !== 'string' || problems.length > 0) return;
    define.mutate({ project, slug, definition: { ...definition, kind } });
  };
  const title = stored === null ? 'Create verifier' : `Edit ${stored.slug}`;
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[{ name: 'Verifiers', href: `/p/${project}/verifiers` }]}
            pageName={title}
          />
        }
        title={title}
        sub="A saved definition is the next version; verdicts keep the version that decided them."
      >
        {mayWrite ? (
          <div className="flex gap-2">
            {stored === null || stored.archivedAt !== null ? null : (
              <ArchiveButton project={project} slug={stored.slug} />
            )}
            <Button variant="primary" busy={define.isPending || leaving} onClick={save}>
              Save verifier
            </Button>
          </div>
        ) : null}
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          {stored === null ? (
            <StarterChoice
              value={starter}
              isEdited={text !== first}
              onChoose={(chosen) => {
                setStarter(chosen);
                setFirst(textOfStarter(chosen));
                change(textOfStarter(chosen));
              }}
            />
          ) : null}
          <DefinitionEditor text={text} faults={faults} readOnly={!mayWrite} onChange={change} />
        </div>
        <div className="grid gap-4">
          <ResultsPanel
            {...{ project, draft, mayWrite }}
            slug={slugOf(draft)}
            isStored={stored !== null}
          />
          <AboutPanel {...{ project, draft, starter }} slug={stored?.slug ?? null} />
        </div>
      </div>
    </PageBody>
  );
}

function memberFaults(
  slug: string | null,
  kind: unknown,
  stored: VerifierDefinition | null,
  takenSlugs: readonly string[],
): Fault[] {
  const fault = (message: string): Fault[] => [{ line: null, message }];
  if (slug === null) return fault('slug: add the name of the verifier in its address.');
  if (stored === null && takenSlugs.includes(slug))
    return fault(`slug: the project has a verifier "${slug}".`);
  if (stored !== null && slug !== stored.slug) return fault(`slug: must stay "${stored.slug}".`);
  return typeof kind === 'string' ? [] : fault('kind: must be judge, checks or function.');
}
