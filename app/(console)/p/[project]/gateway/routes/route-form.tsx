'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useDraftOf } from '@/app/(console)/use-draft-of';
import { useTRPC } from '@/app/_trpc/client';
import type { GatewayRoute } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { RouteSettings } from '@/server/gateway/input';
import { FailureFields } from './failure-fields';
import { IntegrityFields } from './integrity-fields';
import {
  type DraftErrors,
  draftOf,
  fieldAt,
  readDraft,
  type RouteDraft,
  sourceOf,
} from './route-draft';
import { sourceWords } from './route-words';
import { ProjectVerifierFields } from './project-verifier-fields';
import { TargetFields } from './target-fields';
import { VerifierFields } from './verifier-fields';

interface RouteFormProps {
  project: string;
  /** Null for a new route. */
  route: GatewayRoute | null;
  /** `provider:model` of each model of the project's providers. */
  models: readonly string[];
  /** Slugs of the verifiers that a route may name. */
  verifiers: readonly string[];
  role: string;
  mayWrite: boolean;
}

/** Props of all groups of fields. */
export interface FieldsProps {
  readonly project: string;
  readonly draft: RouteDraft;
  readonly errors: DraftErrors;
  readonly locked: boolean;
  readonly onChange: (part: Partial<RouteDraft>) => void;
  /** The origin of a field's value, or that it is not saved yet. */
  readonly sourceText: (field: Exclude<keyof RouteDraft, 'name'>) => string;
}

const released = RouteSettings.parse({});

export function RouteForm({ project, route, models, verifiers, role, mayWrite }: RouteFormProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  const saved = draftOf(route?.name ?? '', route?.settings ?? released);
  const { draft, change: setDraft } = useDraftOf(saved);
  const [errors, setErrors] = useState<DraftErrors>({});
  const put = useMutation(
    trpc.gateway.putRoute.mutationOptions({
      onSuccess: (stored) => {
        announce(route === null ? 'Route created' : 'Route saved');
        void client.invalidateQueries({ queryKey: trpc.gateway.pathKey() });
        if (route === null) router.push(`/p/${project}/gateway/routes/${stored.name}`);
        else router.refresh();
      },
      onError: (error) => setErrors(fieldErrorsOf(error)),
    }),
  );
  const change = (part: Partial<RouteDraft>) => {
    setErrors({});
    put.reset();
    setDraft(part);
  };
  const submit = () => {
    const read = readDraft(draft);
    if ('errors' in read) return setErrors(read.errors);
    put.mutate({ project, ...read });
  };
  const sourceText: FieldsProps['sourceText'] = (field) =>
    draft[field] === saved[field]
      ? sourceWords[sourceOf(field, route?.settings ?? released, route?.source === 'project')]
      : 'Not saved yet.';
  const fields: FieldsProps = {
    project,
    draft,
    errors,
    locked: !mayWrite,
    onChange: change,
    sourceText,
  };
  const hasFieldError = Object.keys(errors).length > 0;
  return (
    <form
      noValidate
      aria-label="Route"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TargetFields {...fields} isNew={route === null} />
      <VerifierFields {...fields} models={models} />
      <IntegrityFields {...fields} />
      <ProjectVerifierFields {...fields} verifiers={verifiers} />
      <FailureFields {...fields} />
      {hasFieldError ? <FieldError text="Some fields have errors, shown below them." /> : null}
      <FieldError text={put.error && !hasFieldError ? problemOf(put.error).message : null} />
      {mayWrite ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={put.isPending}>
            {route === null ? 'Create route' : 'Save route'}
          </Button>
          {put.isSuccess ? (
            <span role="status">
              Saved; every replica of the gateway applies it within a second.
            </span>
          ) : null}
          {route !== null && route.source !== 'project' ? (
            <span className="text-ink-3">
              Saving creates settings for this route; those of the environment no longer apply to
              it.
            </span>
          ) : null}
        </div>
      ) : (
        <p className="text-ink-3">Your role is {role}; owners and admins change these.</p>
      )}
    </form>
  );
}

/** Errors of the server, by the field that they name. */
function fieldErrorsOf(error: unknown): DraftErrors {
  const errors: Partial<Record<keyof RouteDraft, string>> = {};
  for (const [path, message] of Object.entries(problemOf(error).fields)) {
    const field = path === 'name' ? 'name' : fieldAt(path);
    if (field !== null) errors[field] = message;
  }
  return errors;
}
