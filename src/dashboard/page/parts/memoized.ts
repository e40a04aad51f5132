// Makes components that are drawn again only if a property has changed. Preact itself has `memo` only in
// `preact/compat`, its compatibility layer for React.
import { Component, type ComponentChild, type FunctionComponent } from 'preact';

export const memoized = <P extends object>(draw: FunctionComponent<P>) =>
  class Memoized extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before: Readonly<Record<string, unknown>> = { ...this.props };
      return Object.entries(next).some(([name, value]) => before[name] !== value);
    }

    override render(): ComponentChild {
      return draw(this.props);
    }
  };
