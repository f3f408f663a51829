import { createHash, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { countDeliveries } from '../../deliveries';
import { countStorageRetries, type Ctx, newId, notFound, unauthorized } from '../../platform';
import { readInstallation } from '../../queue';
import { answerError } from './answer';

/**
 * `GET /metrics`, in the text format 0.0.4 of Prometheus: the state of this process, and the
 * backlog of the installation. For the operator: it requires ASSAY_OPERATOR_TOKEN, is 404 where
 * that is not set (S-18), and names no project. A project's numbers about verifiers are at
 * `/v1/metrics/verifiers`.
 */

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Labels are words of this file and of the schema: none needs an escape. */
function write({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, word]) => `${label}="${word}"`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

const one = (name: string, type: Metric['type'], help: string, value: number): Metric => ({
  name,
  type,
  help,
  samples: [{ value }],
});

/** Compares digests, since both sides must have the same length. */
function isToken(candidate: string, token: string): boolean {
  const [left, right] = [candidate, token].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

async function installation(ctx: Ctx): Promise<readonly Metric[]> {
  const [{ work, jobs, workers }, deliveries] = await Promise.all([
    readInstallation(ctx),
    countDeliveries(ctx),
  ]);
  const lanes = ['fast', 'slow'] as const;
  const rowsOf = (lane: string, state: string) =>
    work.find((row) => row.lane === lane && row.state === state);
  return [
    {
      name: 'assay_work',
      type: 'gauge',
      help: 'Pending verdicts, by lane and state.',
      samples: lanes.flatMap((lane) =>
        ['waiting', 'quarantined'].map((state) => ({
          labels: { lane, state },
          value: rowsOf(lane, state)?.rows ?? 0,
        })),
      ),
    },
    {
      name: 'assay_work_late_seconds',
      type: 'gauge',
      help: 'Time at which the oldest unclaimed work became due.',
      samples: lanes.map((lane) => ({
        labels: { lane },
        value: rowsOf(lane, 'waiting')?.lateS ?? 0,
      })),
    },
    {
      name: 'assay_jobs',
      type: 'gauge',
      help: 'Running imports, backfills and other jobs.',
      samples: ['waiting', 'running'].map((state) => ({
        labels: { state },
        value: jobs.find((row) => row.state === state)?.rows ?? 0,
      })),
    },
    {
      name: 'assay_workers',
      type: 'gauge',
      help: 'Running workers, by the state of their sandbox.',
      samples: ['ready', 'missing', 'failing', 'unknown'].map((box) => ({
        labels: { box },
        value: workers.find((row) => row.box === box)?.rows ?? 0,
      })),
    },
    {
      name: 'assay_deliveries',
      type: 'gauge',
      help: 'Pending and abandoned deliveries.',
      samples: [
        { labels: { state: 'waiting' }, value: deliveries.waiting },
        { labels: { state: 'dead' }, value: deliveries.dead },
      ],
    },
  ];
}

export function addInstallationMetrics(app: OpenAPIHono, ctx: Ctx): void {
  const token = ctx.env.operatorToken;
  const delay = token === null ? null : monitorEventLoopDelay({ resolution: 20 });
  delay?.enable();
  // Computed once: a change of the machine's clock must not look like a restart.
  const startedAtS = Math.round(Date.now() / 1000 - process.uptime());
  app.get('/metrics', async (c) => {
    const requestId = newId('req', ctx.clock.now());
    if (token === null) return answerError(c, notFound('route'), requestId, ctx.log);
    const bearerToken = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (!isToken(bearerToken, token))
      return answerError(
        c,
        unauthorized('the operator token is required; send it as "Authorization: Bearer …"'),
        requestId,
        ctx.log,
      );
    const metrics = await installation(ctx).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the installation could not be measured');
      return null;
    });
    const { user, system } = process.cpuUsage();
    const all: readonly Metric[] = [
      one(
        'assay_database_up',
        'gauge',
        'Whether the other metrics could be read from PostgreSQL.',
        metrics === null ? 0 : 1,
      ),
      ...(metrics ?? []),
      one(
        'process_storage_retries_total',
        'counter',
        'Statements that this process repeated after a deadlock or a serialization failure.',
        countStorageRetries(),
      ),
      one(
        'process_cpu_seconds_total',
        'counter',
        'Processor time of this process.',
        (user + system) / 1e6,
      ),
      one(
        'process_resident_memory_bytes',
        'gauge',
        'Memory of this process.',
        process.memoryUsage.rss(),
      ),
      one(
        'process_start_time_seconds',
        'gauge',
        'Start time of this process, as a Unix timestamp.',
        startedAtS,
      ),
      one(
        'nodejs_eventloop_lag_p99_seconds',
        'gauge',
        '99th percentile of the event loop delay since the last scrape.',
        (delay?.percentile(99) ?? 0) / 1e9,
      ),
    ];
    delay?.reset();
    return c.text(all.map(write).join(''), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    });
  });
}
