// The dependencies as a graph: each service is drawn to the right of the services that it needs.
import { useMemo } from 'preact/hooks';
import { declaredName } from '../../../streams/domain/ids.ts';
import { groupsOf } from '../../../streams/views/group-document.ts';
import type { Edge, ServiceRow } from '../../page-messages.ts';
import { type GraphLine, type GraphNode, graphLayout, NODE } from './graph-layout.ts';
import { fragmentOf } from '../model/page-route.ts';
import { LOOKS, shownIdOf } from '../model/page-words.ts';
import { grouped } from '../model/group-values.ts';
import { SignShape } from '../parts/state-sign.tsx';

const LETTERS = 19;

const lineOf = ({ from, to }: GraphLine): string => {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x - 3, to.y + NODE.height / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
};

const Lines = ({ lines }: { readonly lines: readonly GraphLine[] }) => (
  <>
    {lines.map((line) => (
      <path
        key={`${line.from.id} ${line.to.id}`}
        class={line.required ? 'edge' : 'edge optional'}
        d={lineOf(line)}
        marker-end="url(#arrow)"
      >
        <title>
          {`${shownIdOf(line.to.id)} waits until ${shownIdOf(line.from.id)} is ${line.condition}${line.required ? '' : ', not required'}`}
        </title>
      </path>
    ))}
  </>
);

const shortened = (text: string): string => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);

const Node = ({
  node: { id, x, y },
  rows,
}: {
  readonly node: GraphNode;
  readonly rows: readonly ServiceRow[];
}) => {
  const [first] = rows;
  const state = groupsOf(rows)[0]?.state ?? first?.state ?? 'stopped';
  return (
    <g transform={`translate(${x} ${y})`}>
      <a href={fragmentOf(first?.id ?? id)} aria-label={`${shownIdOf(id)}: ${state}`}>
        <title>{`${shownIdOf(id)}: ${state}`}</title>
        <rect class={`node node-${LOOKS[state]}`} width={NODE.width} height={NODE.height} rx="6" />
        <g transform="translate(9 8)">
          <SignShape look={LOOKS[state]} />
        </g>
        <text x="28" y="18.5">
          {shortened(shownIdOf(id))}
        </text>
      </a>
    </g>
  );
};

interface GraphProps {
  readonly edges: readonly Edge[];
  readonly rows: readonly ServiceRow[];
}

export const DependencyGraph = ({ edges, rows }: GraphProps) => {
  const byId = useMemo(() => grouped(rows, ({ id }) => declaredName(id)), [rows]);
  const shown = useMemo(
    () => edges.filter((edge) => byId.has(declaredName(edge.service)) || byId.has(declaredName(edge.needs))),
    [edges, [...byId.keys()].join(' ')],
  );
  const { nodes, lines, width, height } = useMemo(() => graphLayout(shown), [shown]);
  if (nodes.length === 0) return <p class="note">No service depends on another one.</p>;
  return (
    <div class="graph" tabIndex={0} role="group" aria-label="Graph of dependencies">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group">
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path class="arrow" d="M0 0.5 8 4 0 7.5z" />
          </marker>
        </defs>
        <Lines lines={lines} />
        {nodes.map((node) => (
          <Node key={node.id} node={node} rows={byId.get(node.id) ?? []} />
        ))}
      </svg>
    </div>
  );
};
