// Times in the live view.

const two = (part: number): string => String(part).padStart(2, '0');

/** Returns the local time of day of an ISO time, with the date if it is not on the same day as `now`. */
export const clockText = (at: string, now: number): string => {
  const [time, today] = [new Date(at), new Date(now)];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  if (time.toDateString() === today.toDateString()) return clock;
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
};
