-- Courses stand in the order they were begun in: those of one owner, and those that stand at one share, are found in that order.
drop index course_taken_owner_then;
create index course_taken_owner_then on course_taken (owner_then, begun_at, id);
create index course_taken_percent_begun on course_taken (percent, begun_at, id);
