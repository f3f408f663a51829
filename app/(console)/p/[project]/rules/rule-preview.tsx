import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { VisibleText } from '@/app/_ui/visible-text';
import { readDraft, type RuleDraft } from './rule-draft';

interface RulePreviewProps {
  project: string;
  draft: RuleDraft;
}

/** The draft's decisions on the latest subjects, and their cost. */
export function RulePreview({ project, draft }: RulePreviewProps) {
  const preview = useMutation(useTRPC().rules.preview.mutationOptions());
  const read = readDraft({ ...draft, name: draft.name.trim() === '' ? 'draft' : draft.name });
  const { data, error, isPending } = preview;
  return (
    <section aria-label="Preview" className="border-line rounded-4 grid gap-2 border p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">Preview</h3>
        <Button
          busy={isPending}
          disabled={'errors' in read}
          onClick={() => {
            if ('rule' in read) preview.mutate({ project, ...read });
          }}
        >
          Run preview
        </Button>
      </div>
      {data === undefined ? (
        <p className="text-12 text-ink-3">
          Shows which of the latest {draft.target}s this rule would match. Calls no model.
        </p>
      ) : (
        <>
          <p role="status">
            {data.matched} of {data.of} match, {data.sampled} would be verified.{' '}
            {data.judgeCalls === 0
              ? 'No judge calls.'
              : `${data.judgeCalls.toLocaleString('en')} judge calls, ${costText(data.costUsd)}.`}
          </p>
          <ul className="grid gap-1">
            {data.subjects.map((each) => (
              <li key={each.id} className="min-w-0">
                <details>
                  <summary className="text-12 truncate font-mono">{each.id}</summary>
                  <pre
                    tabIndex={0}
                    className="text-12 bg-inset max-h-60 overflow-auto p-2 whitespace-pre-wrap"
                  >
                    <VisibleText
                      text={'reason' in each ? each.reason : JSON.stringify(each.subject, null, 2)}
                    />
                  </pre>
                </details>
              </li>
            ))}
          </ul>
          {data.prompt === null ? null : (
            <details>
              <summary>First judge prompt</summary>
              <pre
                tabIndex={0}
                className="text-12 bg-inset max-h-80 overflow-auto p-2 whitespace-pre-wrap"
              >
                <VisibleText text={data.prompt} />
              </pre>
            </details>
          )}
        </>
      )}
      <FieldError text={error === null ? null : problemOf(error).message} />
    </section>
  );
}

const costText = (usd: number | null): string =>
  usd === null ? 'price unknown' : `about $${usd.toFixed(usd < 1 ? 4 : 2)}`;
