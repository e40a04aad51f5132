// `depends_on`: names, or `{ service, condition }` (`docs/manifest.md`, "depends_on"). That they exist is
// checked when all services are known.
import { byShape, mapped } from '../shapes/by-shape.ts';
import { list } from '../shapes/list.ts';
import { located } from '../shapes/located.ts';
import { text } from '../scalars/text.ts';
import { dependency } from './nested/dependency.ts';

export interface DependencyDeclaration {
  readonly service: string;
  readonly condition: 'started' | 'completed';
}

const bare = mapped(text, (service): DependencyDeclaration => ({ service, condition: 'started' }));

export const dependsOn = list(located(byShape(bare, dependency)));
