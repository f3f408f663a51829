// Requirements on deploy/kubernetes beyond the commands and probes that e2e/kubernetes.spec.ts
// runs: the schemas of Kubernetes, references between files, variables, and the same processes as
// in deploy/compose.yaml.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readEnv } from '../server/platform';
import {
  findSchemaFaults,
  type Manifest,
  readKustomization,
  readManifests,
  readProcesses,
  readSecretExample,
  readVariables,
} from '../testing/manifests';
import { isVariable } from '../testing/product-variables';
import { root } from './data-dir.mjs';

const base = readManifests('base');
const overlay = readManifests('overlays/example');
const processes = [...readProcesses()].map(([name, process]) => {
  const pod = process.spec.template.spec;
  return { name, process, pod, init: pod.initContainers[0], main: pod.containers[0] };
});
const kustomizations = ['base', 'components/sandbox', 'overlays/example'];
const config = Object.fromEntries(
  ['base', 'overlays/example'].map((name) => [
    name,
    readVariables(readKustomization(name).configMapGenerator.flatMap(({ literals }) => literals)),
  ]),
);
const secret = readSecretExample();

const { services: compose } = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        command: z.array(z.string()),
        stop_grace_period: z.string().default(''),
        healthcheck: z.object({ test: z.array(z.string()) }).optional(),
        deploy: z
          .object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) })
          .optional(),
      }),
    ),
  })
  .parse(parse(readFileSync(join(root, 'deploy', 'compose.yaml'), 'utf8'), { merge: true }));

describe('schemas', () => {
  test.each([...base, ...overlay].map((one) => ({ ...one, kind: one.object.kind })))(
    '$file, $kind: valid, and without unknown fields',
    ({ object }) => {
      expect(findSchemaFaults(object)).toEqual([]);
    },
  );

  const Patch = z.looseObject({
    metadata: z.object({ name: z.string() }),
    spec: z.looseObject({
      template: z.looseObject({
        spec: z.looseObject({ containers: z.array(z.looseObject({ name: z.string() })) }),
      }),
    }),
  });

  test('components/sandbox patches the worker, and the result is valid', () => {
    const patches = readManifests('components/sandbox').map(({ object }) => Patch.parse(object));
    expect(patches).toHaveLength(1);
    for (const patch of patches) {
      const target = base.find(
        ({ object }) =>
          object.kind === patch.kind &&
          Patch.safeParse(object).data?.metadata.name === patch.metadata.name,
      );
      const patched = structuredClone(Patch.parse(target?.object));
      const { containers, ...pod } = patch.spec.template.spec;
      Object.assign(patched.spec.template.spec, pod);
      for (const { name, ...fields } of containers) {
        const container = patched.spec.template.spec.containers.find((one) => one.name === name);
        expect(container, name).toBeDefined();
        Object.assign(container ?? {}, fields);
      }
      expect(findSchemaFaults(patched)).toEqual([]);
    }
  });

  test('a missing, a wrong and an unknown field are found', () => {
    const service = (spec: object): Manifest['object'] => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'x' },
      spec,
    });
    expect(findSchemaFaults(service({ ports: [{ port: 80 }] }))).toEqual([]);
    expect(findSchemaFaults(service({ ports: [{ name: 'http' }] })).join()).toContain('port');
    expect(findSchemaFaults(service({ ports: [{ port: 'http' }] })).join()).toContain('integer');
    expect(findSchemaFaults(service({ ports: [{ port: 80, target: 80 }] }))).toEqual([
      '/spec/ports/0/target is unknown',
    ]);
    expect(findSchemaFaults({ apiVersion: 'v2', kind: 'Service' })).toHaveLength(1);
  });
});

describe('references', () => {
  const Named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
  const isThere = (kind: string, name: string): boolean =>
    base.some(({ object }) => {
      const named = Named.parse(object);
      return named.kind === kind && named.metadata.name === name;
    });
  const Selecting = z.object({
    spec: z.object({
      selector: z.union([
        z.object({ matchLabels: z.record(z.string(), z.string()) }).transform((s) => s.matchLabels),
        z.record(z.string(), z.string()),
      ]),
      ports: z
        .array(z.object({ name: z.string(), port: z.number(), targetPort: z.string() }))
        .default([]),
    }),
  });
  /** The processes whose Pods have the labels. */
  const selected = (labels: Readonly<Record<string, string>>) =>
    processes.filter(({ process }) =>
      Object.entries(labels).every(
        ([key, value]) => process.spec.template.metadata.labels[key] === value,
      ),
    );

  test('each selector matches the Pods of one process, and Services reach existing ports', () => {
    const selecting = base.filter(({ object }) =>
      ['StatefulSet', 'Service', 'PodDisruptionBudget'].includes(String(object.kind)),
    );
    expect(selecting).toHaveLength(9);
    for (const { file, object } of selecting) {
      const { selector, ports } =
        object.kind === 'StatefulSet'
          ? { ...Selecting.parse(object).spec, ports: [] }
          : Selecting.parse(object).spec;
      const [one, ...others] = selected(selector);
      expect(others, file).toEqual([]);
      expect(one?.process.metadata.name, file).toBe(Named.parse(object).metadata.name);
      for (const port of ports)
        expect(one?.main?.ports, file).toContainEqual({
          name: port.targetPort,
          containerPort: port.port,
        });
    }
  });

  test.each(processes)('$name: its Service, budget, volumes and ports of probes exist', (one) => {
    const { process, pod, init, main } = one;
    expect(isThere('Service', process.spec.serviceName)).toBe(true);
    expect(isThere('PodDisruptionBudget', process.metadata.name)).toBe(true);
    const volumes = [
      ...pod.volumes.map(({ name }) => name),
      ...process.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name),
    ];
    const mounts = [...(init?.volumeMounts ?? []), ...(main?.volumeMounts ?? [])];
    expect(mounts.filter(({ name }) => !volumes.includes(name))).toEqual([]);
    const probed = [main?.startupProbe, main?.livenessProbe, main?.readinessProbe]
      .map((probe) => probe?.httpGet?.port)
      .filter((port) => port !== undefined);
    expect(probed.filter((port) => !main?.ports.some(({ name }) => name === port))).toEqual([]);
  });

  test('the Ingress leads to ports of Services', () => {
    const Rules = z.object({
      spec: z.object({
        rules: z.array(
          z.object({
            host: z.string(),
            http: z.object({
              paths: z.array(
                z.object({
                  backend: z.object({
                    service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }),
                  }),
                }),
              ),
            }),
          }),
        ),
      }),
    });
    const ingress = overlay.find(({ object }) => object.kind === 'Ingress');
    const { rules } = Rules.parse(ingress?.object).spec;
    const hosts = Object.fromEntries(
      rules.map(({ host, http }) => [`https://${host}`, http.paths[0]?.backend.service]),
    );
    const example = config['overlays/example'] ?? {};
    expect(hosts).toEqual({
      [example.ASSAY_WEB_URL ?? '']: { name: 'assay-web', port: { name: 'http' } },
      [example.ASSAY_EDGE_URL ?? '']: { name: 'assay-edge', port: { name: 'http' } },
    });
    expect(isThere('Service', 'assay-web') && isThere('Service', 'assay-edge')).toBe(true);
  });

  test.each(kustomizations)('%s: lists its files, and changes objects of the base', (name) => {
    const folder = join(root, 'deploy', 'kubernetes', name);
    const { resources, patches, images, replicas } = readKustomization(name);
    const listed = [...resources, ...patches.map(({ path }) => path)];
    expect(listed.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    const files = readdirSync(folder).filter(
      (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
    );
    expect(files.filter((file) => !listed.includes(file))).toEqual([]);
    for (const replica of replicas) expect(isThere('StatefulSet', replica.name)).toBe(true);
    for (const image of images)
      for (const { init, main } of processes)
        expect([init?.image, main?.image]).toEqual([image.name, image.name]);
  });
});

describe('variables', () => {
  test('the ConfigMap and the Secret of each container are those that Kustomize generates', () => {
    const maps = readKustomization('base').configMapGenerator.map(({ name }) => name);
    const secrets = readKustomization('overlays/example').secretGenerator.map(({ name }) => name);
    expect(readKustomization('overlays/example').configMapGenerator).toMatchObject([
      { name: maps[0], behavior: 'merge' },
    ]);
    for (const { init, main } of processes)
      for (const container of [init, main])
        expect(container?.envFrom).toEqual([
          { configMapRef: { name: maps[0] } },
          { secretRef: { name: secrets[0] } },
        ]);
  });

  test('the product reads each of them, and accepts the values of the example', () => {
    const names = [
      ...Object.values(config).flatMap((one) => Object.keys(one)),
      ...Object.keys(secret),
      ...processes.flatMap(({ main }) => main?.env.map(({ name }) => name) ?? []),
    ];
    expect(names.length).toBeGreaterThan(12);
    expect(names.filter((name) => !isVariable(name))).toEqual([]);
    expect(isVariable('ASSAY_PORT')).toBe(false);
    const env = readEnv({
      ...config.base,
      ...config['overlays/example'],
      ...secret,
      ASSAY_SECRET: 's'.repeat(32),
      ASSAY_REPLICA: 'assay-edge-0',
    });
    expect(env).toMatchObject({ webUrl: 'https://console.example.org', replica: 'assay-edge-0' });
  });

  test('ports and the data folder are those of the containers', () => {
    const ports = Object.fromEntries(
      processes.map(({ name, main }) => [name, main?.ports[0]?.containerPort.toString()]),
    );
    expect(ports).toEqual({
      web: config.base?.ASSAY_WEB_PORT,
      edge: config.base?.ASSAY_EDGE_PORT,
      worker: undefined,
    });
    // Their root is read-only, but every process, including the migrations, writes a log there.
    for (const { init, main } of processes)
      for (const container of [init, main])
        expect(container?.volumeMounts).toEqual([
          { name: 'data', mountPath: config.base?.ASSAY_DATA_DIR },
          { name: 'tmp', mountPath: '/tmp' },
        ]);
  });

  test('no secret has a value, and neither git nor the image contains the filled file', () => {
    expect(secret.ASSAY_SECRET).toBe('');
    for (const file of ['.gitignore', '.dockerignore'])
      expect(readFileSync(join(root, file), 'utf8').split('\n')).toContain(
        'deploy/kubernetes/overlays/*/secret.env',
      );
  });
});

describe('processes', () => {
  test('are those of compose.yaml, with its commands, health checks, memory and time to stop', () => {
    expect(processes.map(({ name }) => name).toSorted()).toEqual(['edge', 'web', 'worker']);
    for (const { name, pod, init, main } of processes) {
      const service = compose[name];
      expect(init?.command).toEqual(compose.migrate?.command);
      expect(main?.command).toEqual(service?.command);
      const [, ...check] = service?.healthcheck?.test ?? [];
      const port = main?.ports[0]?.containerPort;
      const { httpGet, exec } = main?.readinessProbe ?? {};
      expect(
        httpGet === undefined
          ? exec?.command
          : ['node', 'scripts/healthy.mjs', `http://127.0.0.1:${port}${httpGet.path}`],
      ).toEqual(check);
      expect(main?.resources.limits.memory).toBe(
        service?.deploy?.resources.limits.memory.replace('g', 'Gi'),
      );
      const [, pause = '0'] = main?.lifecycle?.preStop.exec.command ?? [];
      expect(pod.terminationGracePeriodSeconds).toBe(
        Number(service?.stop_grace_period.replace('s', '')) + Number(pause),
      );
    }
  });

  test.each(processes)('$name meets the Pod Security level `restricted`', ({ pod, init, main }) => {
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const container of [init, main])
      expect(container?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  test.each(processes)('$name receives no variables for Services', ({ pod }) => {
    // With them, the Service assay-web would set ASSAY_WEB_PORT to an address.
    expect(pod.enableServiceLinks).toBe(false);
  });
});
