'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useId, useState } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { useDraftOf } from '@/app/(console)/use-draft-of';
import { useTRPC } from '@/app/_trpc/client';
import type { Policy } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { useKeys } from '@/app/_ui/keyboard';
import { Moment } from '@/app/_ui/moment';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { reviewLimits } from '@/server/labels/input';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { LongText } from '../../verdicts/[id]/block';

interface PolicyViewProps {
  project: string;
  verifier: string;
  initial: Policy[];
  mayWrite: boolean;
}

/**
 * The wording under which rulings on one verifier are given. A change is the next version, and
 * earlier rulings keep theirs.
 */
export function PolicyView({ project, verifier, initial, mayWrite }: PolicyViewProps) {
  const trpc = useTRPC();
  const options = trpc.review.policies.queryOptions(
    { project, verifier },
    { initialData: initial },
  );
  const { data, error, refetch } = useQuery(options);
  const policies = data.toSorted((one, other) => other.version - one.version);
  const [current] = policies;
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs trail={[{ name: 'Review', href: `/p/${project}/review` }]} pageName="Policy" />
        }
        title={`Policy of ${plainText(verifier)}`}
        sub="The criteria of pass and fail. Each ruling records the version of the policy."
      >
        <Link
          href={`/p/${project}/settings/review`}
          className="text-ink-2 hover:text-ink underline"
        >
          Settings › Review
        </Link>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The versions could not be refreshed"
          works="The page shows the last loaded data."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {mayWrite ? (
        <PolicyForm project={project} verifier={verifier} current={current ?? null} />
      ) : (
        <p className="text-ink-3">Owners and admins write policies.</p>
      )}
      <Panel title="Versions">
        {policies.length === 0 ? (
          <Empty title="No policy yet.">
            <p>Without a policy, people use their own judgement, and rulings record no version.</p>
          </Empty>
        ) : (
          <VersionList policies={policies} />
        )}
      </Panel>
    </PageBody>
  );
}

interface PolicyFormProps {
  project: string;
  verifier: string;
  /** The current version; null when there is none. */
  current: Policy | null;
}

function PolicyForm({ project, verifier, current }: PolicyFormProps) {
  const id = useId();
  const trpc = useTRPC();
  const client = useQueryClient();
  const {
    draft: { body },
    change,
  } = useDraftOf({ body: current?.body ?? '' });
  const [message, setMessage] = useState('');
  const isChanged = body.trim() !== '' && body.trim() !== current?.body.trim();
  const save = useMutation(
    trpc.review.putPolicy.mutationOptions({
      onSuccess: (stored) => {
        setMessage('');
        announce(`Version ${stored.version} saved`);
        void client.invalidateQueries({
          queryKey: trpc.review.policies.queryKey({ project, verifier }),
        });
      },
    }),
  );
  const submit = () => {
    if (isChanged && !save.isPending) save.mutate({ project, verifier, body, message });
  };
  useKeys({
    'mod+s': (event) => {
      event.preventDefault();
      submit();
    },
  });
  const problem = save.error ? problemOf(save.error) : null;
  return (
    <Panel
      title="Text"
      aside={
        <span role="status" className="text-12 text-ink-3">
          {isChanged
            ? 'Not saved'
            : current === null
              ? 'No version yet'
              : `Version ${current.version} is current`}
        </span>
      }
    >
      <form
        noValidate
        aria-label="Policy"
        className="grid gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="grid gap-1">
          <label htmlFor={`${id}-body`} className="font-semibold">
            Policy, markdown
          </label>
          <textarea
            id={`${id}-body`}
            value={body}
            rows={16}
            maxLength={reviewLimits.policyChars}
            aria-invalid={problem?.fields['body'] === undefined ? undefined : true}
            onChange={(event) => {
              save.reset();
              change({ body: event.target.value });
            }}
            className="bg-surface text-ink rounded-4 text-13 border-line-strong w-full min-w-0 resize-y border p-2 font-mono"
          />
        </div>
        <Field
          label="What changed"
          value={message}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setMessage(event.target.value)}
          hint="Shown next to the version."
        />
        <FieldError text={problem?.message ?? null} />
        <div className="flex items-center gap-3">
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isChanged}>
            Save as version {(current?.version ?? 0) + 1}
          </Button>
          <span className="text-12 text-ink-3">
            Ctrl S saves. Existing rulings keep their version.
          </span>
        </div>
      </form>
    </Panel>
  );
}

/** Newest first; each opens to its text. */
function VersionList({ policies }: { policies: readonly Policy[] }) {
  return (
    <ol aria-label="Versions" className="grid">
      {policies.map(({ version, body, message, createdBy, createdAt, labels }, at) => (
        <li key={version} className="border-line border-b last:border-0">
          <details className="group">
            <summary className="hover:bg-hover flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
              <span className="font-semibold">Version {version}</span>
              {at === 0 ? <span className="text-12 text-ink-3">current</span> : null}
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {message === '' ? null : <VisibleText text={message} />}
              </span>
              <span className="text-ink-2 md:ml-auto">
                {labels === 1 ? '1 label' : `${labels.toLocaleString('en')} labels`}
              </span>
              <span className="text-12 text-ink-3 [overflow-wrap:anywhere]">
                <VisibleText text={createdBy} />, <Moment at={createdAt} />
              </span>
            </summary>
            <div className="px-4 pb-4">
              <LongText text={body} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}
