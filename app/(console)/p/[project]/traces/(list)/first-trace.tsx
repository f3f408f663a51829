'use client';

import type { Project } from '@/app/_trpc/outputs';
import { CopyText } from '@/app/_ui/copy-text';
import { Empty } from '@/app/_ui/panel';
import { CreateKeyHere } from '../../settings/keys/create-key-here';
import { useNewKey } from '../../settings/keys/use-new-key';

function exporterSettings(ingestUrl: string, key: string): string {
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${ingestUrl.replace(/\/$/, '')}`,
    `export OTEL_EXPORTER_OTLP_HEADERS='Authorization=Bearer%20${key}'`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    'export OTEL_LOGS_EXPORTER=otlp',
    'export OTEL_METRICS_EXPORTER=none',
  ].join('\n');
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

/** One span of a model's answer with its tool result; the shell inserts the current second. */
function traceCommand(ingestUrl: string, key: string): string {
  const span = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: 'NOW000000000',
    endTimeUnixNano: 'NOW800000000',
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.provider.name', 'openai'),
      text('gen_ai.request.model', 'gpt-4o'),
      text(
        'gen_ai.input.messages',
        JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: 'How full is web-1?' }] },
          {
            role: 'assistant',
            parts: [
              { type: 'tool_call', id: 'call-1', name: 'disk', arguments: { host: 'web-1' } },
            ],
          },
          {
            role: 'tool',
            parts: [
              {
                type: 'tool_call_response',
                id: 'call-1',
                response: { host: 'web-1', disk: '91.4%' },
              },
            ],
          },
        ]),
      ),
      text(
        'gen_ai.output.messages',
        JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: 'web-1 is at 91.4%.' }] },
        ]),
      ),
    ],
  };
  const body = {
    resourceSpans: [
      {
        resource: { attributes: [text('service.name', 'first-trace')] },
        scopeSpans: [{ spans: [span] }],
      },
    ],
  };
  return [
    `curl -sS ${ingestUrl.replace(/\/$/, '')}/v1/traces \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body).replaceAll('NOW', `'$(date +%s)'`)}'`,
  ].join('\n');
}

/**
 * How to send the spans that a program already produces, and the one command that sends a trace.
 */
export function FirstTrace({
  project,
  title = 'No trace has been received yet.',
}: {
  project: Project;
  title?: string;
}) {
  const newKey = useNewKey(project.slug, 'ingest');
  const key = newKey ?? 'YOUR_KEY';
  return (
    <Empty title={title}>
      <p>
        A program that exports OpenTelemetry spans and logs sends them here with these settings; its
        answers become turns, with its tool results as their sources.
      </p>
      {newKey === null ? (
        <p>
          Insert an API key with the scope <code className="font-mono">ingest</code> in place of{' '}
          <code className="font-mono">YOUR_KEY</code>.
        </p>
      ) : null}
      <CreateKeyHere project={project} scopes={['ingest']} />
      <CopyText
        label="Settings of an OpenTelemetry exporter"
        text={exporterSettings(project.ingestUrl, key)}
        secret={newKey}
      />
      <p>Or send one span by hand:</p>
      <CopyText
        label="Command that sends a trace"
        text={traceCommand(project.ingestUrl, key)}
        secret={newKey}
      />
    </Empty>
  );
}
