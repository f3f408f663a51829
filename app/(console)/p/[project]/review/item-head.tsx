'use client';

import { Select } from '@/app/_ui/select';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewItem } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { CopyId } from '@/app/_ui/copy-id';
import { FieldError } from '@/app/_ui/field';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { permissionsOf } from '@/server/access/input';
import { verifierLabel } from '../verdicts/[id]/verdict-title';
import { itemTitle } from './review-words';

interface ItemHeadProps {
  project: string;
  item: ReviewItem;
  onAssigned: (item: ReviewItem) => void;
}

/** The text of the item, its verifier, its id to copy, and its person. */
export function ItemHead({ project, item, onAssigned }: ItemHeadProps) {
  return (
    <div className="grid min-w-0 gap-1">
      <h2 className="text-16 line-clamp-2 font-semibold [overflow-wrap:anywhere] [unicode-bidi:isolate]">
        <VisibleText text={itemTitle(item)} />
      </h2>
      <div className="text-ink-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>
          <VisibleText text={verifierLabel(item.verifier)} />
        </span>
        <CopyId id={item.subjectId} noun="subject id" />
        <Assignee project={project} item={item} onAssigned={onAssigned} />
      </div>
    </div>
  );
}

const takeFocus = (element: HTMLButtonElement | null) => element?.focus();

function Assignee({ project, item: { id, assignedTo }, onAssigned }: ItemHeadProps) {
  const trpc = useTRPC();
  const [isChoosing, setChoosing] = useState(false);
  const { data, error } = useQuery(
    trpc.members.list.queryOptions({ project }, { staleTime: 60_000, enabled: isChoosing }),
  );
  const assign = useMutation(
    trpc.review.assign.mutationOptions({
      onSuccess: (item) => {
        setChoosing(false);
        announce(item.assignedTo === null ? 'Unassigned' : `Assigned to ${item.assignedTo}`);
        onAssigned(item);
      },
    }),
  );
  const problem = assign.error ?? error;
  if (!isChoosing || data === undefined) {
    return (
      <span className="flex flex-wrap items-center gap-x-2">
        {assignedTo === null ? null : (
          <span className="[overflow-wrap:anywhere]">
            Assigned to <VisibleText text={assignedTo} />
          </span>
        )}
        <Button variant="quiet" aria-disabled={isChoosing} onClick={() => setChoosing(true)}>
          {assignedTo === null ? 'Assign' : 'Reassign'}
        </Button>
        <FieldError text={problem === null ? null : problemOf(problem).message} />
      </span>
    );
  }
  const people = data.members.filter(({ role }) => permissionsOf[role].includes('labels.write'));
  const isFormerMember = assignedTo !== null && people.every(({ email }) => email !== assignedTo);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Select
        // Opened by the button, which it replaces.
        ref={takeFocus}
        label="Assigned to"
        value={assignedTo ?? ''}
        disabled={assign.isPending}
        options={[
          ['', 'Unassigned'],
          ...(isFormerMember ? [[assignedTo, plainText(assignedTo)] as const] : []),
          ...people.map(
            ({ email, name }) => [email, plainText(name === '' ? email : name)] as const,
          ),
        ]}
        onChange={(to) => assign.mutate({ project, item: id, to: to === '' ? null : to })}
        className="h-11! w-44! md:h-8!"
      />
      <FieldError text={problem === null ? null : problemOf(problem).message} />
    </span>
  );
}
