// A plain table of a few rows.
import type { ComponentChildren } from 'preact';

interface DataTableProps {
  readonly caption: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

export const DataTable = ({ caption, headings, rows }: DataTableProps) => (
  <div class="table-scroll" tabIndex={0} role="group" aria-label={caption}>
    <table class="data">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th scope="col" key={heading}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
