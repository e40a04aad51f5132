// Empty space with the height of the rows that are not drawn.

interface SpacerProps {
  readonly rows: number;
  readonly height: number;
}

export const Spacer = ({ rows, height }: SpacerProps) =>
  rows === 0 ? null : <div class="spacer" role="presentation" style={{ height: `${rows * height}px` }} />;
