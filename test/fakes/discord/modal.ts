/** developers/components/reference.mdx: what may stand in a modal. */
import { anyOf, COMPONENT, component, customId, selects, textDisplay, together } from './components.ts';
import { all, asWire, flag, list, may, must, oneOf, shape, text, whole } from './rules.ts';

const input = all(
  component(COMPONENT.input, {
    custom_id: must(customId),
    style: must(oneOf(1, 2)),
    min_length: may(whole(0, 4000)),
    max_length: may(whole(1, 4000)),
    required: may(flag),
    value: may(text(0, 4000)),
    placeholder: may(text(0, 100)),
  }),
  (value, at) => {
    const { value: given, max_length } = asWire(value);
    if (typeof given === 'string' && typeof max_length === 'number' && given.length > max_length) {
      at.in('value').wrong('BASE_TYPE_MAX_LENGTH', `Must be ${max_length} or fewer in length.`);
    }
  },
);

/** Without `disabled`: "using disabled in a modal will result in an error". */
const labelled = anyOf({ ...selects({ required: may(flag) }), [COMPONENT.input]: input }, 'in a label');
const label = component(COMPONENT.label, {
  label: must(text(1, 45)),
  description: may(text(0, 100)),
  component: must(labelled),
});

/** A text input in an action row still works there, but is deprecated: the fake wants the label. */
export const modal = shape({
  custom_id: must(customId),
  title: must(text(1, 45)),
  components: must(
    all(
      list(anyOf({ [COMPONENT.label]: label, [COMPONENT.text]: textDisplay }, 'at the top of a modal'), 1, 5),
      together,
    ),
  ),
});
