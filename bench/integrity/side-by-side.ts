import type { JudgedItem } from './audited';
import { type Judged, measure } from './measure';
import type { Rate } from './rates';

/** Labelled data, the audited set and generated sentences next to each other. */

const share = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(3));
const counted = ({ hits, of, rate }: Rate): string =>
  of === 0 ? '-' : `${hits}/${of} = ${share(rate)}`;

export function setsTable(
  sets: readonly { readonly name: string; readonly judged: readonly Judged[] }[],
): string {
  const lines = sets.map(({ name, judged }) => {
    const { catch: caught, falseAlarms, net } = measure(judged, 'assay', 'whole');
    return [name, counted(caught), counted(falseAlarms), share(net.value)];
  });
  return tableOf(['set', 'catch', 'false alarms', 'J'], lines);
}

/** By kind of fault; for the audited set only caught faults, since a correct figure has no kind. */
export function kindsTable(
  audited: readonly JudgedItem[],
  generated: readonly JudgedItem[],
): string {
  const kinds = new Set(
    [...generated, ...audited].flatMap(({ kind }) => (kind === null ? [] : [kind])),
  );
  const lines = [...kinds].map((kind) => {
    const auditedRates = measure(ofKind(audited, kind), 'assay', 'whole');
    const generatedRates = measure(ofKind(generated, kind), 'assay', 'whole');
    return [
      kind,
      counted(auditedRates.catch),
      counted(generatedRates.catch),
      counted(generatedRates.falseAlarms),
      share(generatedRates.net.value),
    ];
  });
  return tableOf(
    ['kind', 'audited: catch', 'generated: catch', 'generated: false alarms', 'generated: J'],
    lines,
  );
}

export function shapesTable(items: readonly JudgedItem[], title: string): string {
  const shapes = new Set(items.map(({ shape }) => shape));
  const lines = [...shapes].map((shape) => {
    const {
      catch: caught,
      falseAlarms,
      net,
    } = measure(
      items.filter((each) => each.shape === shape),
      'assay',
      'whole',
    );
    return [shape, counted(caught), counted(falseAlarms), share(net.value)];
  });
  return tableOf([title, 'catch', 'false alarms', 'J'], lines);
}

export function ofKind(items: readonly JudgedItem[], kind: string): readonly JudgedItem[] {
  return items.filter((each) => each.kind === kind);
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}
