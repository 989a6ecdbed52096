-- How many sheets of each variant there are, kept as they are made (docs/decisions/004-kept-counts.md).
select start_keeping_count('name_copybook', 'variant', 'owned');
