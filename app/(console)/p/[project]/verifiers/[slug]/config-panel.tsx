'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { VerifierPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';
import { type ConfigEdits, readEdits, shownValue } from './config-draft';
import { ConfigField } from './config-field';
import { ConfigVersions } from './config-versions';

interface ConfigPanelProps {
  project: string;
  config: VerifierPage['config'];
  mayWrite: boolean;
}

const none: ConfigEdits = new Map();

/**
 * The verifier's configuration. A change is its next version; stored verdicts keep the version that
 * decided them.
 */
export function ConfigPanel({ project, config, mayWrite }: ConfigPanelProps) {
  const { slug, version, fields } = config;
  const router = useRouter();
  const [refreshing, refresh] = useTransition();
  const [edits, setEdits] = useState(none);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  /**
   * The version that was saved here and is not shown yet. Typed text is kept when another user
   * saves a version.
   */
  const [saved, setSaved] = useState<number | null>(null);
  const put = useMutation(
    useTRPC().verifiers.put.mutationOptions({
      onSuccess: () => {
        // The version is in the page's head, which is rendered on the server.
        refresh(() => router.refresh());
      },
    }),
  );
  if (saved !== null && version >= saved) {
    setSaved(null);
    setEdits(none);
    setReason('');
  }
  const submit = () => {
    const read = readEdits(fields, edits);
    if (!read.ok) return setErrors(read.errors);
    if (Object.keys(read.config).length === 0) return setErrors({ '': 'Nothing is changed.' });
    const next = version + 1;
    put.mutate(
      { project, slug, config: read.config, reason: reason.trim() === '' ? null : reason.trim() },
      {
        onSuccess: () => {
          announce(`Saved: ${slug}@${next} holds from now on`);
          setSaved(next);
        },
      },
    );
  };
  const problem = put.error ? problemOf(put.error) : null;
  const errorOf = (key: string): string | null =>
    errors[key] ?? problem?.fields[`config.${key}`] ?? null;
  const formProblem =
    problem !== null && !fields.some(({ key }) => errorOf(key) !== null) ? problem.message : null;
  return (
    <Panel
      title="Settings"
      aside={
        <span className="text-12 text-ink-3">
          a change is the next version; stored verdicts keep theirs
        </span>
      }
    >
      <form
        noValidate
        aria-label="Settings"
        className="grid gap-5 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {fields.map((field) => (
          <ConfigField
            key={field.key}
            field={field}
            value={shownValue(field, edits)}
            error={errorOf(field.key)}
            locked={!mayWrite}
            onChange={(value) => {
              setErrors({});
              put.reset();
              setEdits((before) => new Map([...before, [field.key, value]]));
            }}
          />
        ))}
        {mayWrite ? (
          <div className="grid max-w-[72ch] gap-3">
            <Field
              label="Reason"
              hint="Recorded in the audit log."
              maxLength={1000}
              autoComplete="off"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
            <FieldError text={errors[''] ?? formProblem} />
            <div>
              <Button type="submit" variant="primary" busy={put.isPending || refreshing}>
                Save as version {version + 1}
              </Button>
            </div>
          </div>
        ) : (
          <p className="text-ink-3">Owners and admins change these.</p>
        )}
        <ConfigVersions versions={config.versions} fields={fields} />
      </form>
    </Panel>
  );
}
