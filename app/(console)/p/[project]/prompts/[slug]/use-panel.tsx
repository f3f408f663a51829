import type { PromptDetail } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

const replies: Record<PromptDetail['output'], string> = {
  rubric: 'a score for each criterion',
  binary: 'met or not met',
  criteria_match: 'which criteria are met',
  pair: 'whether two outputs agree',
  summary: 'a summary in words',
  decomposition: 'four scores, and what is wrong',
  claims: 'which claims of an answer are supported',
  steering: 'a status tag or a steering note',
  message: 'not parsed: the text is sent to a model',
  judge: 'the output of the verifier’s definition',
};

/** Where the prompt is used, and which parts of it cannot be edited. */
export function UsePanel({
  prompt: { slug, verifier, output, variables, optional, production },
}: {
  prompt: PromptDetail;
}) {
  return (
    <Panel title="Where it is used">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 py-3">
        <dt className="text-ink-3">{verifier === null ? 'Used by' : 'Verifier'}</dt>
        {verifier === null ? (
          <dd>
            your application, which reads the version in production by the API, and experiments; no
            verifier
          </dd>
        ) : (
          <dd className="font-mono">{verifier}</dd>
        )}
        <dt className="text-ink-3">Slug</dt>
        <dd className="font-mono [overflow-wrap:anywhere]">{slug}</dd>
        <dt className="text-ink-3">Reply read as</dt>
        <dd>{replies[output]}</dd>
        <dt className="text-ink-3">Required variables</dt>
        <dd>{variables.length === 0 ? 'none' : <Names names={variables} />}</dd>
        {optional.length === 0 ? null : (
          <>
            <dt className="text-ink-3">Optional variables</dt>
            <dd>
              <Names names={optional} />
            </dd>
          </>
        )}
        {production.by === null || production.at === null ? null : (
          <>
            <dt className="text-ink-3">Promoted</dt>
            <dd className="[overflow-wrap:anywhere]">
              by <VisibleText text={production.by} />, <Age at={production.at} /> ago
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-1">
      {names.map((name) => (
        <li
          key={name}
          className="bg-accent-wash rounded-4 text-12 px-1 font-mono"
        >{`{{${name}}}`}</li>
      ))}
    </ul>
  );
}
