import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { StatefulSet } from 'kubernetes-models/apps/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { Namespace, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { root } from '../scripts/data-dir.mjs';

/** The manifests of deploy/kubernetes, as tests read them. */

const folder = join(root, 'deploy', 'kubernetes');

/** A document of a manifest, and its file. */
export interface Manifest {
  readonly file: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** All documents of a folder, except those of Kustomize itself. */
export function readManifests(name: string): readonly Manifest[] {
  return readdirSync(join(folder, name))
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(folder, name, file), 'utf8')).map((document) => {
        if (document.errors[0]) throw document.errors[0];
        return { file: `${name}/${file}`, object: z.looseObject({}).parse(document.toJS()) };
      }),
    );
}

const models = { StatefulSet, Ingress, Namespace, PodDisruptionBudget, Service };

/**
 * Faults of an object by the JSON schemas of Kubernetes, which the package compiles to functions.
 * They ignore unknown fields, which an API server refuses with strict validation: a field that no
 * function reads is unknown.
 */
export function findSchemaFaults(object: Manifest['object']): readonly string[] {
  const Model = Object.values(models).find(
    ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
  );
  if (Model === undefined)
    return [`no schema of ${String(object.apiVersion)} ${String(object.kind)}`];
  const unread = new Set<string>();
  const faults: string[] = [];
  try {
    // oxlint-disable-next-line typescript/unbound-method -- called on another object, on purpose
    Reflect.apply(Model.prototype.validate, watchReads(object, '', unread), []);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return [...faults, ...Array.from(unread, (path) => `${path} is unknown`)];
}

/** A copy of a value that removes the path of each field that is read from `unread`. */
function watchReads(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
  for (const [key, member] of Object.entries(value)) {
    unread.add(`${path}/${key}`);
    Reflect.set(copy, key, watchReads(member, `${path}/${key}`, unread));
  }
  return new Proxy(copy, {
    get(target, key) {
      if (typeof key === 'string') unread.delete(`${path}/${key}`);
      return Reflect.get(target, key) as unknown;
    },
  });
}

const Labels = z.record(z.string(), z.string());
const Probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }).optional(),
  exec: z.object({ command: z.array(z.string()) }).optional(),
});
export type Probe = z.infer<typeof Probe>;
const Container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  envFrom: z.array(
    z.object({
      configMapRef: z.object({ name: z.string() }).optional(),
      secretRef: z.object({ name: z.string() }).optional(),
    }),
  ),
  env: z
    .array(
      z.object({
        name: z.string(),
        valueFrom: z.object({ fieldRef: z.object({ fieldPath: z.literal('metadata.name') }) }),
      }),
    )
    .default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  lifecycle: z
    .object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) })
    .optional(),
  resources: z.object({ requests: Labels, limits: Labels }),
  securityContext: z.looseObject({}),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
export type Container = z.infer<typeof Container>;
const Process = z.object({
  kind: z.literal('StatefulSet'),
  metadata: z.object({ name: z.string(), labels: Labels }),
  spec: z.object({
    serviceName: z.string(),
    selector: z.object({ matchLabels: Labels }),
    template: z.object({
      metadata: z.object({ labels: Labels }),
      spec: z.object({
        automountServiceAccountToken: z.boolean(),
        enableServiceLinks: z.boolean(),
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.looseObject({}),
        initContainers: z.array(Container).length(1),
        containers: z.array(Container).length(1),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
    volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })),
  }),
});
export type Process = z.infer<typeof Process>;

/** The processes of the base, by the name of their container. */
export function readProcesses(): ReadonlyMap<string, Process> {
  const found = readManifests('base')
    .filter(({ object }) => object.kind === 'StatefulSet')
    .map(({ object }) => Process.parse(object));
  return new Map(found.map((one) => [one.spec.template.spec.containers[0]?.name ?? '', one]));
}

const Kustomization = z.strictObject({
  apiVersion: z.enum(['kustomize.config.k8s.io/v1beta1', 'kustomize.config.k8s.io/v1alpha1']),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  labels: z.array(z.strictObject({ pairs: Labels })).default([]),
  resources: z.array(z.string()).default([]),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() }))
    .default([]),
  replicas: z
    .array(z.strictObject({ name: z.string(), count: z.number().int().min(1) }))
    .default([]),
  patches: z.array(z.strictObject({ path: z.string() })).default([]),
  configMapGenerator: z
    .array(
      z.strictObject({
        name: z.string(),
        behavior: z.literal('merge').optional(),
        literals: z.array(z.string()),
      }),
    )
    .default([]),
  secretGenerator: z
    .array(z.strictObject({ name: z.string(), envs: z.array(z.string()) }))
    .default([]),
});

export const readKustomization = (name: string): z.infer<typeof Kustomization> =>
  Kustomization.parse(parse(readFileSync(join(folder, name, 'kustomization.yaml'), 'utf8')));

/** Variables of lines such as NAME=value. */
export const readVariables = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value = ''] = /^([^#=\s]+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );

/** The secrets that an operator fills in. */
export const readSecretExample = (): Record<string, string> =>
  readVariables(
    readFileSync(join(folder, 'overlays', 'example', 'secret.env.example'), 'utf8').split('\n'),
  );
