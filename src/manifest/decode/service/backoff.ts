// Time between restart attempts: a duration is constant, an object grows (`docs/manifest.md`, "backoff").
import { byShape, mapped } from '../shapes/by-shape.ts';
import { duration } from '../scalars/duration.ts';
import type { Backoff } from '../../../streams/domain/declared/spec.ts';
import { growing } from './nested/growing.ts';

const constant = mapped(duration, (time): Backoff => ({ initial: time, max: time, factor: 1, jitter: 0 }));

export const backoff = byShape(constant, growing);
