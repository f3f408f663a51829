'use client';

import type { Project } from '@/app/_trpc/outputs';
import { CopyText } from '@/app/_ui/copy-text';
import { Panel } from '@/app/_ui/panel';
import { CreateKeyHere } from '../../settings/keys/create-key-here';
import { useNewKey } from '../../settings/keys/use-new-key';

/** Its second subgoal depends on one that does not exist: the checks find that without a model. */
function checkpointCommand(ingestUrl: string, key: string): string {
  const call = {
    trace_id: 'first-pipeline',
    query: 'Which disks fill up this week, and who looks after them?',
    complexity: 'MEDIUM',
    decomposition: {
      goal: 'Name the disks that fill up and their owners',
      subgoals: [
        {
          id: 'disks',
          description: 'Read how full each disk is',
          agent: 'metrics',
          depends_on: [],
          requires: ['metrics'],
        },
        {
          id: 'owners',
          description: 'Look up who owns each host',
          agent: 'directory',
          depends_on: ['hosts'],
          requires: ['directory'],
        },
      ],
      execution_order: [{ phase: 'sequential', subgoals: ['disks', 'owners'] }],
    },
    agents: [
      { name: 'metrics', capabilities: ['metrics'], tools: [] },
      { name: 'directory', capabilities: ['directory'], tools: [] },
    ],
    scores: { completeness: 0.8, consistency: 0.5, groundedness: 0.7, routability: 0.9 },
  };
  return [
    `curl -sS ${ingestUrl.replace(/\/$/, '')}/v1/verify/decomposition \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(call)}'`,
  ].join('\n');
}

function checkpointCode(ingestUrl: string, key: string): string {
  return [
    "import { createAssay } from '@assay/sdk';",
    '',
    `const assay = createAssay({ url: '${ingestUrl.replace(/\/$/, '')}', key: '${key}' });`,
    "const planned = await assay.checkpoint('decomposition', {",
    '  traceId,',
    '  generate: ({ feedback }) => plan(query, feedback),',
    "  body: (decomposition) => ({ query, complexity: 'MEDIUM', decomposition, agents }),",
    '});',
  ].join('\n');
}

/**
 * Empty state: the one command that verifies a decomposition, and how to call it from a program.
 */
export function FirstPipeline({ project }: { project: Project }) {
  const newKey = useNewKey(project.slug, 'verify');
  const key = newKey ?? 'YOUR_KEY';
  return (
    <Panel title="No checkpoint has been used yet">
      <div className="grid max-w-[960px] gap-4 p-4">
        <p>
          A checkpoint verifies a step of a request before the next one uses it: the decomposition
          into subgoals, the output of each agent, and the final answer.
        </p>
        {newKey === null ? (
          <p>
            Insert an API key with the scope <code className="font-mono">verify</code> in place of{' '}
            <code className="font-mono">YOUR_KEY</code>. The pipeline appears here automatically.
          </p>
        ) : (
          <p>
            The copied command contains the key that you just created. The pipeline appears here
            automatically.
          </p>
        )}
        <CreateKeyHere project={project} scopes={['verify']} />
        <CopyText
          label="Command that verifies a decomposition"
          text={checkpointCommand(project.ingestUrl, key)}
          secret={newKey}
        />
        <p>In a program, the client retries with the feedback of each verdict:</p>
        <CopyText
          label="Code of a checkpoint"
          text={checkpointCode(project.ingestUrl, key)}
          secret={newKey}
        />
      </div>
    </Panel>
  );
}
