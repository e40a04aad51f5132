// The buttons that choose the time the timeline shows.
import { LENGTHS, moved, type Zoom, ZOOM_STEP, zoomed } from './time-window.ts';

interface ZoomButtonsProps {
  readonly zoom: Zoom;
  readonly now: number;
  readonly onZoom: (zoom: Zoom) => void;
}

export const ZoomButtons = ({ zoom, now, onZoom }: ZoomButtonsProps) => (
  <div class="buttons" role="group" aria-label="Shown time">
    {LENGTHS.map(([text, length]) => (
      <button
        type="button"
        key={text}
        aria-pressed={zoom.length === length && zoom.end === undefined}
        onClick={() => onZoom({ length })}
      >
        {text}
      </button>
    ))}
    <button type="button" aria-label="Earlier" onClick={() => onZoom(moved(zoom, -0.5, now))}>
      ◂
    </button>
    <button
      type="button"
      aria-label="Later"
      disabled={zoom.end === undefined}
      onClick={() => onZoom(moved(zoom, 0.5, now))}
    >
      ▸
    </button>
    <button
      type="button"
      aria-label="Zoom in"
      onClick={() => onZoom(zoomed(zoom, 1 / ZOOM_STEP, { now, share: 0.5 }))}
    >
      +
    </button>
    <button
      type="button"
      aria-label="Zoom out"
      onClick={() => onZoom(zoomed(zoom, ZOOM_STEP, { now, share: 0.5 }))}
    >
      −
    </button>
  </div>
);
