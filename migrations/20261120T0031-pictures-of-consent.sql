-- The signed sheet, as somebody took its picture when writing down what a guardian said (decision 067).
alter table consent add column proof uuid[] not null default '{}';
