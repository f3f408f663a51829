import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scanFigures } from '../server/evaluators/figures/scan';
import { SourceIndex } from '../server/evaluators/figures/source-index';
const traceFigures = (figures: any, _: string, index: any) => figures.map((figure: any) => ({ figure, item: index.find(figure.reading)?.items[0] ?? null }));
import { derive } from '../server/evaluators/figures/derive';
const dir = process.env.ASSAY_DATA ?? '/work/shared/data';
const show = process.argv[2];
for (const name of ['openweather', 'owid', 'wikidata']) {
  const count: Record<string, number> = {};
  const by: Record<string, number> = {};
  for (const line of readFileSync(join(dir, `integrity-quintd-${name}.jsonl`), 'utf8').trim().split('\n')) {
    const row = JSON.parse(line);
    const text = typeof row.source === 'string' ? row.source : JSON.stringify(row.source);
    for (const out of row.outputs) {
      const index = new SourceIndex([{ id: 's', label: 's', format: row.source_format === 'csv' ? 'text' : 'json', text }]);
      const figures = scanFigures(out.text);
      const traces = traceFigures(figures, out.text, index);
      const cps = Array.from(out.text as string);
      for (const [i, { figure, item }] of traces.entries()) {
        const t = out.text as string;
        const lead = t.slice(0, figure.from), tail = t.slice(figure.to);
        const s = Math.max(...[...lead.matchAll(/[.!?]\s|\n/g)].map((m) => m.index + 1), 0);
        const em = /[.!?](?:\s|$)|\n/.exec(tail);
        const e = figure.to + (em ? em.index : tail.length);
        const para = lead.lastIndexOf('\n\n') + 1;
        const others = traces.filter((x, j) => j !== i);
        const d = derive(figure, { before: t.slice(s, figure.from), after: t.slice(figure.to, e), sentence: others.filter((o) => o.figure.from >= s && o.figure.to <= e), above: others.filter((o) => o.figure.to <= s && o.figure.from >= para) }, index);
        const wrong = out.human.spans.some((sp: any) => !sp.misaligned && sp.start < figure.end && sp.end > figure.start);
        const key = `${item === null ? 'nowhere' : 'somewhere'} ${wrong ? 'wrong' : 'right'}`;
        count[key] = (count[key] ?? 0) + 1;
        if (d) { count[`${key} derived`] = (count[`${key} derived`] ?? 0) + 1; by[`${key} ${d.operation}`] = (by[`${key} ${d.operation}`] ?? 0) + 1;
          if (show && key.includes(show)) console.log(name, key, '|', t.slice(s, figure.from).trim(), `[[${figure.text}]]`, t.slice(figure.to, e), '=>', d.formula); }
      }
    }
  }
  console.log(name, count, by);
}
